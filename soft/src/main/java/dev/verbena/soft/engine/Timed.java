package dev.verbena.soft.engine;

/** What waits for a deadline in the timer wheel. */
sealed interface Timed permits QpProgress, Alarm {}
