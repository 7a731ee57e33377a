package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.engine.ether.EtherSegment;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.KeptLog;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which address soft0 gets, and what it says if that is not the first one. */
class FirstAddressTest {
  private static final DeviceSpec SOFT0 = DeviceSpec.named("soft0");
  private static final Gid IPV6 = Gid.parse("::1");

  private final KeptLog log = new KeptLog();

  /** Devices on a computer where somebody else has these addresses. */
  private OpenDevices devices(Predicate<Gid> taken) {
    MemoryNetwork network = new MemoryNetwork();
    Surroundings.LinkOpener links =
        (gid, spec, tally) -> {
          if (taken.test(gid)) {
            throw new VerbsException(
                "openDevice", Errno.EADDRINUSE, gid.toAddressText() + " is taken");
          }
          return network.open(Gids.address(gid), tally::add);
        };
    return new OpenDevices(
        new Surroundings(
            () -> 0, new SplittableRandom(1), /* threaded= */ false, links, new EtherSegment()),
        log);
  }

  @Test
  void itIsTheFirstThatIsFree() {
    try (Context context = devices(Gid.parse("127.0.0.1")::equals).open(SOFT0)) {
      assertThat(context.queryGid(1, 0)).isEqualTo(Gid.parse("127.0.0.2"));
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void thatOfVersion6IsTakenWithAWarningThatSaysWhy() {
    try (Context context = devices(Gid::isIpv4Mapped).open(SOFT0)) {
      assertThat(context.queryGid(1, 0)).isEqualTo(IPV6);
      assertThat(log.lines())
          .containsExactly(
              "WARNING soft0 has the address ::1, which devices on IPv4 addresses do not reach:"
                  + " 127.0.0.1 is taken");
    }
  }

  @Test
  void itIsTakenWithAWarningAlsoIfThisProcessHasTheOthers() {
    OpenDevices devices = devices(gid -> false);
    List<Context> others = new ArrayList<>();
    for (int host = 1; host <= 31; host++) {
      others.add(devices.open(DeviceSpec.parse("soft:127.0.0." + host)));
    }
    try (Context context = devices.open(SOFT0)) {
      assertThat(context.queryGid(1, 0)).isEqualTo(IPV6);
      assertThat(log.lines())
          .containsExactly(
              "WARNING soft0 has the address ::1, which devices on IPv4 addresses do not reach:"
                  + " 127.0.0.1 to 127.0.0.31 have devices of this process");
    } finally {
      others.forEach(Context::close);
    }
  }

  @Test
  void ifNoneIsFreeTheFirstOnesReasonIsTold() {
    assertThatThrownBy(() -> devices(gid -> true).open(SOFT0))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
        .hasMessage(
            "openDevice: none of 127.0.0.1 to 127.0.0.31 and ::1 is free. The first: 127.0.0.1 is"
                + " taken (EADDRINUSE: Address already in use)");
  }
}
