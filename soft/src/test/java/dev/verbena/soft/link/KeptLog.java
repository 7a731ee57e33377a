package dev.verbena.soft.link;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

/** Keeps log lines, and fails on request. For any thread. */
public final class KeptLog implements System.Logger {
  private final List<String> lines = new ArrayList<>();
  private Level least = Level.ALL;
  private Error failure = new OutOfMemoryError("of the log");
  private int failing;

  /** The lines, each with its level and text. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** Sets the lowest level that is enabled. */
  public synchronized KeptLog least(Level level) {
    least = level;
    return this;
  }

  /** Throws OutOfMemoryError for this many lines. */
  public synchronized void fail(int times) {
    failing = times;
  }

  /** Throws this error for the next lines. */
  public synchronized void fail(int times, Error how) {
    failing = times;
    failure = how;
  }

  /** How many lines have still to fail. */
  public synchronized int failing() {
    return failing;
  }

  @Override
  public String getName() {
    return "log";
  }

  @Override
  public synchronized boolean isLoggable(Level level) {
    return level.getSeverity() >= least.getSeverity();
  }

  @Override
  public synchronized void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
    if (failing > 0) {
      failing--;
      throw failure;
    }
    lines.add(level + " " + text);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    log(level, bundle, format, (Throwable) null);
  }
}
