package dev.verbena.soft.engine.progress;

/** What waits for a deadline in the timer wheel. */
sealed interface Timed permits Task, Alarm {}
