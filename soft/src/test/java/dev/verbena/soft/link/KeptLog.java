package dev.verbena.soft.link;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

/** Keeps what is logged, and fails as often as it is told to. For any thread. */
public final class KeptLog implements System.Logger {
  private final List<String> lines = new ArrayList<>();
  private Level least = Level.ALL;
  private Error failure = new OutOfMemoryError("of the log");
  private int failing;

  /** What was logged: its level and text. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** Sets what is wanted at the least; all. */
  public synchronized KeptLog least(Level level) {
    least = level;
    return this;
  }

  /** Has no memory for the next lines, so many of them. */
  public synchronized void fail(int times) {
    failing = times;
  }

  /** Fails so for the next lines, so many of them. */
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
