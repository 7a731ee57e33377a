package dev.verbena.interop.cases;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Cases that run together, on the kernels that support their operations. */
public enum CaseSet {
  /** RC: one-sided operations, messages, atomics, errors. */
  CONNECTION,
  /** Memory windows and invalidation. */
  WINDOW,
  /** UD and multicast. */
  DATAGRAM,
  /** FLUSH and ATOMIC_WRITE, from Linux 6.4 on. */
  FLUSH;

  /**
   * The set with this name, in lower case.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static CaseSet named(String name) {
    for (CaseSet set : values()) {
      if (set.name().toLowerCase(Locale.ROOT).equals(name)) {
        return set;
      }
    }
    throw new IllegalArgumentException("--cases: there is no set " + name);
  }

  public List<Case> cases() {
    return switch (this) {
      case CONNECTION ->
          Stream.of(
                  TransferCases.list(),
                  AtomicCases.list(),
                  MixedCases.list(),
                  RnrCases.list(),
                  RefusalCases.list())
              .flatMap(List::stream)
              .toList();
      case WINDOW -> WindowCases.list();
      case DATAGRAM -> DatagramCases.list();
      case FLUSH -> FlushCases.list();
    };
  }
}
