/** Small programs to read first. Each is run by a test. */
@NullMarked
package dev.verbena.examples;

import org.jspecify.annotations.NullMarked;
