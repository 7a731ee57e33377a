package dev.verbena.rdmacore.call;

import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongConsumer;

/**
 * The address of a struct of the library, until it is destroyed. Calls that have begun end before;
 * none begins afterwards, so that C never meets a struct that is gone.
 *
 * <p>It refers to no object that a program holds: a lost context is closed by its handles.
 */
public final class Handle {
  /** A call that has begun. */
  public final class Use implements AutoCloseable {
    private final long address;

    private Use(long address) {
      this.address = address;
    }

    /** The struct. */
    public long address() {
      return address;
    }

    @Override
    public void close() {
      lock.readLock().unlock();
    }
  }

  /** What is done at the end of a block, however it ends. */
  private interface Step extends AutoCloseable {
    @Override
    void close();
  }

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final String name;
  private final LongConsumer destroy;
  private volatile long address;

  /**
   * @param name of the object, for messages
   * @param address of the struct
   * @param destroy ends the struct at this address
   */
  public Handle(String name, long address, LongConsumer destroy) {
    this.name = name;
    this.address = address;
    this.destroy = destroy;
  }

  /** The object's name, for messages. */
  @Override
  public String toString() {
    return name;
  }

  /**
   * Begins a call.
   *
   * @throws ObjectClosedException if the struct is gone
   */
  public Use use(String verb) {
    lock.readLock().lock();
    if (address == 0) {
      lock.readLock().unlock();
      throw new ObjectClosedException(verb, name);
    }
    return new Use(address);
  }

  /**
   * What ends an object: these steps in order, and then its struct, each even if one before it has
   * failed.
   */
  public Runnable endingAfter(Runnable... steps) {
    Runnable all = this::end;
    for (int i = steps.length - 1; i >= 0; i--) {
      all = inOrder(steps[i], all);
    }
    return all;
  }

  private static Runnable inOrder(Runnable first, Runnable next) {
    return () -> {
      try (Step _ = next::run) {
        first.run();
      }
    };
  }

  /**
   * The struct, or 0 from when it is about to end: for a thread that is {@link #endUnlessRefused
   * waited for} by other means than {@link #use}.
   */
  public long present() {
    return address;
  }

  /**
   * Ends the struct as {@link #end}; if the library refuses, it stays.
   *
   * @param pass waits for threads that may have learnt of it by {@link #present}
   */
  public void endUnlessRefused(Runnable pass) {
    lock.writeLock().lock();
    try {
      long last = address;
      address = 0;
      if (last != 0) {
        endOrKeep(last, pass);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void endOrKeep(long last, Runnable pass) {
    try {
      pass.run();
    } catch (RuntimeException | Error e) {
      address = last;
      throw e;
    }
    try {
      destroy.accept(last);
    } catch (VerbsException e) {
      // After any other failure nobody knows whether the struct is still there.
      address = last;
      throw e;
    }
  }

  /** Ends the struct once, after the calls that have begun. */
  public void end() {
    lock.writeLock().lock();
    try {
      long last = address;
      address = 0;
      if (last != 0) {
        destroy.accept(last);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
