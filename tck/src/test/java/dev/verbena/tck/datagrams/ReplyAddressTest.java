package dev.verbena.tck.datagrams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The address for a reply, from the header of a UD receive: S3.3.4, S3.3.5. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReplyAddressTest {
  private static final int GRH = Grh.LENGTH;
  private static final int IPV4 = 20;
  private static final int SENDER = 0x0a01_0203;

  private final Context context = Devices.open(TckLink.firstOnEthernet().device());
  private final GidEntry own = ownAddress();

  /** The first of our own devices, the first IPv4 one of others. */
  private GidEntry ownAddress() {
    if (!TckLink.areDevicesOfOthers()) {
      return context.queryGidEx(1, 0);
    }
    List<GidEntry> own =
        context.queryGidTable().stream().filter(entry -> entry.gid().isIpv4Mapped()).toList();
    assumeTrue(!own.isEmpty(), "no IPv4 address");
    return own.getFirst();
  }

  private MemorySegment fromSender() {
    return ipv4((int) own.gid().interfaceId());
  }

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  @Proves({"S3.3.5", "S3.3.4"})
  void anIpv4HeaderNamesSenderHopsAndClass() {
    AhAttr reply = context.initAhFromWc(1, completion(), fromSender());
    assertThat(reply)
        .isEqualTo(
            new AhAttr(
                true,
                Gid.parse("::ffff:10.1.2.3"),
                own.gidIndex(),
                0,
                17,
                0x28,
                0,
                3,
                0,
                reply.staticRate(),
                1));
  }

  @Test
  @Proves("S3.3.4")
  void anIpv4HeaderBehindBytesThatLookLikeIpv6IsToldByItsChecksum() {
    byte[] area = fromSender().toArray(ValueLayout.JAVA_BYTE);
    area[0] = 0x60;
    assertThat(context.initAhFromWc(1, completion(), MemorySegment.ofArray(area)).dgid())
        .isEqualTo(Gid.parse("::ffff:10.1.2.3"));
    area[30] ^= 1;
    // Now it is IPv6, to an address that is not this device's.
    Refused.of(
        () -> context.initAhFromWc(1, completion(), MemorySegment.ofArray(area)),
        Errno.EINVAL,
        Errno.EPROTONOSUPPORT);
  }

  @Test
  @Proves("S3.3.5")
  void whatCannotBeAnsweredIsRefused() {
    MemorySegment good = fromSender();
    WorkCompletion wc = completion();
    Refused.of(() -> context.initAhFromWc(0, wc, good), Errno.EINVAL).naming("port");
    Refused.of(() -> context.initAhFromWc(1, wc, null), Errno.EINVAL);
    Refused.of(() -> context.initAhFromWc(1, wc, good.asSlice(0, GRH - 1)), Errno.EINVAL)
        .naming("39");
    Refused.of(() -> context.initAhFromWc(1, wc, ipv4(0xe000_0001)), Errno.EINVAL)
        .naming("multicast");
    Refused.of(() -> context.initAhFromWc(1, wc, ipv4(0x7f00_0000)), Errno.EINVAL);
    MemorySegment nothing = MemorySegment.ofArray(new byte[GRH]);
    Refused.of(() -> context.initAhFromWc(1, wc, nothing), Errno.EPROTONOSUPPORT);
    byte[] tcp = new byte[GRH];
    tcp[0] = 0x60;
    tcp[6] = 6;
    MemorySegment other = MemorySegment.ofArray(tcp);
    Refused.of(() -> context.initAhFromWc(1, wc, other), Errno.EPROTONOSUPPORT);
    byte[] group = new byte[GRH];
    group[0] = 0x60;
    group[6] = 17;
    group[24] = (byte) 0xff;
    MemorySegment toGroup = MemorySegment.ofArray(group);
    Refused.of(() -> context.initAhFromWc(1, wc, toGroup), Errno.EINVAL).naming("multicast");
  }

  @Test
  @Proves("S3.3.5")
  void withoutTheFlagThereIsNoGlobalRoute() {
    WorkCompletion wc = new WorkCompletion().sl(2);
    AhAttr reply = context.initAhFromWc(1, wc, null);
    assertThat(reply.isGlobal()).isFalse();
    assertThat(reply.sl()).isEqualTo(2);
    Refused.of(() -> context.allocPd().createAhFromWc(wc, null, 1), Errno.EINVAL);
  }

  private static WorkCompletion completion() {
    return new WorkCompletion().wcFlags(WcFlags.GRH).sl(3);
  }

  private static MemorySegment ipv4(int destination) {
    ByteBuffer area = ByteBuffer.allocate(GRH);
    ByteBuffer ip = area.slice(GRH - IPV4, IPV4);
    ip.putInt(0, 0x4528_0040).putInt(4, 0x4000).putInt(8, 17 << 24 | 17 << 16);
    ip.putInt(12, SENDER).putInt(16, destination);
    int sum = 0;
    for (int i = 0; i < IPV4; i += 2) {
      sum += ip.getShort(i) & 0xffff;
    }
    ip.putShort(10, (short) ~((sum & 0xffff) + (sum >>> 16)));
    return MemorySegment.ofArray(area.array());
  }
}
