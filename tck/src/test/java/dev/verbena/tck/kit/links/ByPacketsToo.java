package dev.verbena.tck.kit.links;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a class with tests of RC WRITEs, READs or atomics, which shared memory does without packets:
 * they also run on {@link TckLink#SHM_BY_PACKETS} wherever they run on {@link TckLink#SHM}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ByPacketsToo {}
