package dev.verbena.soft.memory;

/** An entry of the {@link KeyTable}. */
sealed interface Keyed permits Registration, Window {}
