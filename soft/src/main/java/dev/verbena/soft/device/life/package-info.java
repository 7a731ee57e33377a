/**
 * What begins and ends: lifetimes of objects, how many there may be, and the events that are waited
 * for and acknowledged.
 */
@NullMarked
package dev.verbena.soft.device.life;

import org.jspecify.annotations.NullMarked;
