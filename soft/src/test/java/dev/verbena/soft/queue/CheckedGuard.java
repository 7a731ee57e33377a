package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** A guard for one thread, which records when it is taken and released. */
final class CheckedGuard implements Guard {
  private final String name;
  private final List<String> log;
  private boolean held;

  CheckedGuard(String name, List<String> log) {
    this.name = name;
    this.log = log;
  }

  @Override
  public void enter() {
    assertThat(held).as("%s is taken twice", name).isFalse();
    held = true;
    log.add("+" + name);
  }

  @Override
  public boolean tryEnter() {
    enter();
    return true;
  }

  @Override
  public void exit() {
    assertThat(held).as("%s is given back", name).isTrue();
    held = false;
    log.add("-" + name);
  }

  @Override
  public void takeOver() {
    throw new AssertionError("not here");
  }

  @Override
  public void open() {
    log.add("open " + name);
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return held;
  }
}
