/**
 * Links that are sockets: UDP by native calls of Linux or by {@code DatagramChannel}, and Ethernet
 * frames by packet sockets.
 */
@NullMarked
package dev.verbena.soft.link.socket;

import org.jspecify.annotations.NullMarked;
