package dev.verbena.rdmacore.event;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The thread that waits for descriptors of this process, once there is one to wait for: so threads
 * that wait for events, virtual ones among them, do so in Java, and Selectors and listeners are
 * told.
 */
final class Watcher {
  /** Told of a descriptor. */
  interface Reader {
    /**
     * There is something to read.
     *
     * @param last whether nothing comes after it: the other side is gone
     */
    void ready(boolean last);

    /**
     * The descriptor is not watched any more.
     *
     * @param why a part of a sentence
     */
    void abandon(String why);
  }

  /** A descriptor that is watched. */
  final class Watch {
    private final long id;
    private final int number;
    private final WeakReference<Reader> reader;

    private Watch(long id, int number, Reader reader) {
      this.id = id;
      this.number = number;
      this.reader = new WeakReference<>(reader);
    }

    /** Its reader is told nothing more. */
    void end() {
      synchronized (Watcher.this) {
        if (watches.remove(id) != null) {
          // Whatever the answer: the kernel itself lets go of a descriptor that is closed.
          control(EPOLL_CTL_DEL, number, id);
        }
      }
    }

    private void tell(boolean last) {
      Reader told = reader.get();
      if (told == null) {
        end();
        return;
      }
      try {
        told.ready(last);
      } catch (Throwable e) {
        LOG.log(Level.ERROR, "an event of libibverbs could not be read", e);
        end();
        told.abandon(e.toString());
      }
    }
  }

  private static final Logger LOG = System.getLogger("dev.verbena.rdmacore.device");

  private static final FunctionNative FCNTL = FunctionNative.ofLibc("fcntl");
  private static final FunctionNative EPOLL_CREATE = FunctionNative.ofLibc("epoll_create1");
  private static final FunctionNative EPOLL_CTL = FunctionNative.ofLibc("epoll_ctl");
  private static final FunctionNative EPOLL_WAIT = FunctionNative.ofLibc("epoll_wait");

  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final int EPOLL_CLOEXEC = 0x80000;
  private static final int EPOLL_CTL_ADD = 1;
  private static final int EPOLL_CTL_DEL = 2;
  private static final int EPOLLIN = 1;

  /** EPOLLERR and EPOLLHUP: the kernel says so for ever, with or without something to read. */
  private static final int LAST = 8 | 16;

  /** A struct epoll_event: packed on amd64 only. */
  private static final long DATA = System.getProperty("os.arch").equals("amd64") ? 4 : 8;

  private static final long EVENT = DATA + Long.BYTES;
  private static final int MOST_EVENTS = 64;

  /** The one that is in use. */
  private static @Nullable Watcher present;

  private final int epoll;

  /**
   * By an id that is never used again, as the number of a descriptor is, perhaps while an event of
   * its predecessor is on the way.
   */
  private final Map<Long, Watch> watches = new HashMap<>();

  private long lastId;
  private boolean ended;

  /** Starts the thread. */
  Watcher() {
    String verb = "epollCreate";
    Answer answer = EPOLL_CREATE.call(verb, EPOLL_CLOEXEC);
    this.epoll = (int) answer.value();
    if (epoll < 0) {
      answer.orThrow(verb, "another descriptor for epoll");
    }
    Thread.ofPlatform().daemon().name("verbena-rdmacore-events").start(this::run);
  }

  /** The one for all descriptors; a new one if its thread has ended. */
  static synchronized Watcher shared() {
    Watcher watcher = present;
    if (watcher == null || watcher.hasEnded()) {
      watcher = new Watcher();
      present = watcher;
    }
    return watcher;
  }

  /** From now on a read returns EAGAIN instead of waiting. */
  static void unblock(int number) {
    String verb = "fcntl";
    int flags = (int) FCNTL.call(verb, number, F_GETFL).value();
    FCNTL
        .call(verb, number, F_SETFL, flags | O_NONBLOCK)
        .orThrow(verb, "to make descriptor " + number + " non-blocking");
  }

  /** The descriptor of epoll. */
  int epoll() {
    return epoll;
  }

  /** Tells this reader from now on whenever the descriptor has something to read. */
  synchronized Watch begin(int number, Reader reader) {
    String verb = "epollCtl";
    if (ended) {
      throw new VerbsException(verb, Errno.EIO, "the thread that waits for events has ended");
    }
    Watch watch = new Watch(++lastId, number, reader);
    control(EPOLL_CTL_ADD, number, watch.id).orThrow(verb, "to watch descriptor " + number);
    watches.put(watch.id, watch);
    return watch;
  }

  private synchronized @Nullable Watch find(long id) {
    return watches.get(id);
  }

  private synchronized boolean hasEnded() {
    return ended;
  }

  private Answer control(int operation, int number, long id) {
    try (Arena arena = Arena.ofConfined()) {
      long event = arena.allocate(EVENT, Long.BYTES).address();
      Host.setInt(event, EPOLLIN);
      Host.setLong(event + DATA, id);
      return EPOLL_CTL.call("epollCtl", epoll, operation, number, event);
    }
  }

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      waitForEvents(arena.allocate(EVENT * MOST_EVENTS, Long.BYTES).address());
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "no more events of libibverbs are waited for", e);
      abandonAll("the thread that waits for events has ended: " + e);
    }
  }

  private void waitForEvents(long events) {
    while (true) {
      Answer answer = EPOLL_WAIT.call("epollWait", epoll, events, MOST_EVENTS, -1);
      int count = (int) answer.value();
      if (count < 0 && answer.errno() != Errno.EINTR) {
        throw new VerbsException("epollWait", answer.errno(), "descriptor " + epoll);
      }
      for (int i = 0; i < count; i++) {
        long event = events + i * EVENT;
        Watch watch = find(Host.getLong(event + DATA));
        if (watch != null) {
          watch.tell((Host.getInt(event) & LAST) != 0);
        }
      }
    }
  }

  /** Tells all readers: threads that wait would otherwise do so for ever. */
  private void abandonAll(String why) {
    for (Watch watch : takeAll()) {
      Reader told = watch.reader.get();
      if (told != null) {
        told.abandon(why);
      }
    }
  }

  private synchronized List<Watch> takeAll() {
    ended = true;
    List<Watch> all = List.copyOf(watches.values());
    watches.clear();
    return all;
  }
}
