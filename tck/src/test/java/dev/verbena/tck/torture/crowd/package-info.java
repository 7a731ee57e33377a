/**
 * Several processes that do mixed operations with each other, while some of them are killed,
 * stopped or deprived of something: {@link dev.verbena.tck.torture.crowd.Crowd}.
 */
@NullMarked
package dev.verbena.tck.torture.crowd;

import org.jspecify.annotations.NullMarked;
