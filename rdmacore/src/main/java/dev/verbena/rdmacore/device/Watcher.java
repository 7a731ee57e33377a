package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.verbs.Errno;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The thread that waits for descriptors of this process, once there is one to wait for: so threads
 * that wait for events, virtual ones among them, do so in Java, and Selectors and listeners are
 * told.
 */
final class Watcher {
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

  /** A struct epoll_event: packed on amd64 only. */
  private static final long DATA = System.getProperty("os.arch").equals("amd64") ? 4 : 8;

  private static final long EVENT = DATA + Long.BYTES;
  private static final int MOST_EVENTS = 64;

  /** By descriptor. Weak: who waits for nothing any more may be lost. */
  private static final Map<Integer, WeakReference<Runnable>> READERS = new ConcurrentHashMap<>();

  /** The thread's descriptor, made when it is first needed. */
  private static final class Epoll {
    static final int NUMBER = open();

    static {
      Thread.ofPlatform().daemon().name("verbena-rdmacore-events").start(Watcher::watch);
    }

    private static int open() {
      Answer answer = EPOLL_CREATE.call("epollCreate", EPOLL_CLOEXEC);
      if (answer.value() < 0) {
        answer.orThrow("epollCreate", "a descriptor");
      }
      return (int) answer.value();
    }
  }

  /** From now on a read returns EAGAIN instead of waiting. */
  static void unblock(int number) {
    String verb = "fcntl";
    int flags = (int) FCNTL.call(verb, number, F_GETFL).value();
    FCNTL.call(verb, number, F_SETFL, flags | O_NONBLOCK).orThrow(verb, "O_NONBLOCK");
  }

  /** Calls the reader whenever this descriptor has something to read. */
  static void begin(int number, Runnable reader) {
    READERS.put(number, new WeakReference<>(reader));
    control(EPOLL_CTL_ADD, number);
  }

  /** Takes {@link #begin} back. */
  static void end(int number) {
    control(EPOLL_CTL_DEL, number);
    READERS.remove(number);
  }

  private static void control(int operation, int number) {
    try (Arena arena = Arena.ofConfined()) {
      long event = arena.allocate(EVENT, Long.BYTES).address();
      Host.setInt(event, EPOLLIN);
      Host.setLong(event + DATA, number);
      EPOLL_CTL
          .call("epollCtl", Epoll.NUMBER, operation, number, event)
          .orThrow("epollCtl", "descriptor " + number);
    }
  }

  private static void watch() {
    long events = Arena.global().allocate(EVENT * MOST_EVENTS, Long.BYTES).address();
    while (true) {
      Answer answer = EPOLL_WAIT.call("epollWait", Epoll.NUMBER, events, MOST_EVENTS, -1);
      int count = (int) answer.value();
      if (count < 0 && answer.errno() != Errno.EINTR) {
        LOG.log(Level.ERROR, "no more events of libibverbs: {0}", Errno.strerror(answer.errno()));
        return;
      }
      for (int i = 0; i < count; i++) {
        read((int) Host.getLong(events + i * EVENT + DATA));
      }
    }
  }

  private static void read(int number) {
    WeakReference<Runnable> entry = READERS.get(number);
    Runnable reader = entry == null ? null : entry.get();
    if (reader == null) {
      return;
    }
    try {
      reader.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "descriptor " + number + " is watched no more", e);
      end(number);
    }
  }

  private Watcher() {}
}
