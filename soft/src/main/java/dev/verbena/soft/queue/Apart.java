package dev.verbena.soft.queue;

/**
 * Keeps the fields of what extends it out of the cache line of the object before it, which another
 * thread may use: a line that two threads write goes to and fro between them at each message.
 */
@SuppressWarnings("UnusedVariable") // they are there to take room
public abstract class Apart {
  private long gap0;
  private long gap1;
  private long gap2;
  private long gap3;
  private long gap4;
  private long gap5;
  private long gap6;
  private long gap7;

  /** Of anything. */
  protected Apart() {}
}
