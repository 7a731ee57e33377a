package dev.verbena.soft.transport;

import java.util.function.Consumer;

/** Takes every chunk, one PSN at a time, and shows it to the test. */
record WatchedPath(Consumer<Chunk> watcher) implements Path {
  @Override
  public int chunkPsns() {
    return 1;
  }

  @Override
  public int readPsns() {
    return 1;
  }

  @Override
  public int mostInFlight(long bytes) {
    return 8;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public String words() {
    return "watched";
  }

  @Override
  public boolean send(Chunk chunk) {
    watcher.accept(chunk);
    return true;
  }
}
