/**
 * What every provider needs, beside what only it can do: lifetimes of objects, events that are
 * waited for and acknowledged, contexts that a program loses, and which memory can be registered.
 * Exported to the providers of this project only.
 */
@NullMarked
package dev.verbena.verbs.provider;

import org.jspecify.annotations.NullMarked;
