/** The InfiniBand subnet of this process: its nodes, their LIDs, P_Keys and multicast groups. */
@NullMarked
package dev.verbena.soft.device.subnet;

import org.jspecify.annotations.NullMarked;
