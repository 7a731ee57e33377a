/** Extended reliable connections (chapter 7). */
@NullMarked
package dev.verbena.tck.xrc;

import org.jspecify.annotations.NullMarked;
