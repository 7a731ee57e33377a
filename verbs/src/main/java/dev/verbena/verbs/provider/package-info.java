/**
 * Common parts of providers: lifetimes of objects, events that are awaited and acknowledged,
 * contexts that a program loses, and checks of memory to register. Exported only to the providers
 * of this project, and not part of the API; other providers do without it.
 */
@NullMarked
package dev.verbena.verbs.provider;

import org.jspecify.annotations.NullMarked;
