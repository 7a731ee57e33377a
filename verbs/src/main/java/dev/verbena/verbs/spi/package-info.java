/** What a provider of devices implements; found by {@link java.util.ServiceLoader}. */
@NullMarked
package dev.verbena.verbs.spi;

import org.jspecify.annotations.NullMarked;
