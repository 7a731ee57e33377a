package dev.verbena.rdmacore.call;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.function.Supplier;

/**
 * What a function of C has returned.
 *
 * @param function its name
 * @param value what it returned; of an int only the lower half counts
 * @param errno the error number that it left
 * @param locks whether it has the kernel lock memory
 */
public record Answer(String function, long value, int errno, boolean locks) {
  /** Of a function that has the kernel lock no memory. */
  public Answer(String function, long value, int errno) {
    this(function, value, errno, /* locks= */ false);
  }

  /**
   * The same, of a function that has the kernel lock memory, as that of regions and queues: if it
   * lacks memory, the error names the limit.
   */
  public Answer locking() {
    return new Answer(function, value, errno, /* locks= */ true);
  }

  /**
   * 0, or the error number, of a function that returns one of these, or -1 with the number in
   * errno.
   */
  public int status() {
    return status((int) value, errno);
  }

  /**
   * The same of a function of the data path. A driver should return the error number, but some
   * return its negative, and some -1.
   *
   * @param errno the error number that it left
   */
  static int status(int result, int errno) {
    if (result >= 0) {
      return result;
    }
    return result == -1 && errno != 0 ? errno : -result;
  }

  /**
   * As {@link #status}, which must be 0.
   *
   * @param detail what was asked for, to follow "refuses"
   */
  public void orThrow(String verb, String detail) {
    orThrow(verb, () -> detail);
  }

  /** As {@link #orThrow(String, String)}; what was asked for is described if it is refused. */
  public void orThrow(String verb, Supplier<String> detail) {
    int status = status();
    if (status != 0) {
      throw error(verb, status, "refuses " + detail.get());
    }
  }

  /**
   * The pointer that the function has returned, which must not be NULL.
   *
   * @param detail what was asked for, to follow "refuses"
   */
  public long pointer(String verb, String detail) {
    return pointer(verb, () -> detail);
  }

  /** As {@link #pointer(String, String)}; what was asked for is described if it is refused. */
  public long pointer(String verb, Supplier<String> detail) {
    if (value == 0) {
      throw error(verb, errno == 0 ? Errno.EIO : errno, "refuses " + detail.get());
    }
    return value;
  }

  /**
   * The error that the function has met.
   *
   * @param words what it did, to follow its name
   */
  public VerbsException error(String verb, int error, String words) {
    String advice = locks ? LockedMemory.advice(error) : "";
    return new VerbsException(verb, error, function + " " + words + advice);
  }
}
