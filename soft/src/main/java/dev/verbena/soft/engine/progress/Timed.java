package dev.verbena.soft.engine.progress;

/** An entry of the timer wheel. */
sealed interface Timed permits Task, Alarm {}
