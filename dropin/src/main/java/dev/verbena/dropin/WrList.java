package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.verbs.WorkRequestException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists of requests from the program's memory into reused objects, for one thread, and posts
 * them. The device detects errors of a request if the objects can express them; a request that
 * cannot be read at all ends the list, after the ones before it.
 *
 * @param <W> the requests
 * @param <T> the object to which they are posted
 */
abstract class WrList<W, T> {
  /** Limit for the reused objects; the list itself has no limit and may even be a ring. */
  private static final int MOST = 256;

  private final long nextField;
  private final List<W> requests = new ArrayList<>();

  /** Address of the first struct that was not read yet, or 0. */
  private long rest;

  /** Why reading stopped there. */
  private @Nullable RuntimeException unreadable;

  /**
   * @param nextField offset of the address of the next struct
   */
  WrList(long nextField) {
    this.nextField = nextField;
  }

  /** Creates a request to be filled and reused. */
  abstract W make();

  /** Reads a struct, except for its successor. */
  abstract void fill(W wr, long in, T target);

  /** Sets the successor of a request. */
  abstract void link(W wr, @Nullable W next);

  /** Posts the requests from this one on. */
  abstract void post(T target, @Nullable W first);

  /**
   * Posts a list, piece by piece, up to the first request that is refused.
   *
   * @param first address of the first struct, or 0
   * @param bad address of the pointer that is set to the first struct that was not posted
   * @return 0 or an errno
   */
  final long post(T target, long first, long bad) {
    long next = first;
    try {
      do {
        post(target, read(next, target));
        next = rest;
        if (unreadable != null) {
          throw unreadable;
        }
      } while (next != 0);
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, address(next, e.index()));
      return -Attach.failed(e);
    } catch (RuntimeException | Error e) {
      // Do not rethrow: the shim assumes that a call that broke off has posted nothing.
      Host.setLong(bad, next);
      return -Attach.failed(e);
    }
  }

  /** Reads a list, or the beginning of it. */
  private @Nullable W read(long first, T target) {
    W before = null;
    int count = 0;
    unreadable = null;
    rest = first;
    while (rest != 0 && count < MOST) {
      W wr = request(count);
      try {
        fill(wr, rest, target);
      } catch (RuntimeException e) {
        unreadable = e;
        break;
      }
      link(wr, null);
      if (before != null) {
        link(before, wr);
      }
      before = wr;
      count++;
      rest = Host.getLong(rest + nextField);
    }
    return count == 0 ? null : requests.getFirst();
  }

  private W request(int index) {
    if (index == requests.size()) {
      requests.add(make());
    }
    return requests.get(index);
  }

  private long address(long first, int index) {
    long in = first;
    for (int i = 0; i < index; i++) {
      in = Host.getLong(in + nextField);
    }
    return in;
  }
}
