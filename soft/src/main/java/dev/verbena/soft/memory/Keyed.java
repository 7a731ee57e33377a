package dev.verbena.soft.memory;

/** What can take a slot of the {@link KeyTable}. */
sealed interface Keyed permits Registration, Window {}
