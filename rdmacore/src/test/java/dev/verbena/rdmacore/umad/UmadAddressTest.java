package dev.verbena.rdmacore.umad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.spi.MadAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class UmadAddressTest {
  private static final int PORT = 2;
  private static final AhAttr LOCAL =
      new AhAttr(false, Gid.ZERO, 0, 0, 0, 0, 0xbffe, 5, 3, Rate.MAX, PORT);
  private static final AhAttr GLOBAL =
      new AhAttr(
          true, Gid.parse("fe80::10:7"), 1, 0xabcde, 200, 0xe0, 0xbffe, 5, 3, Rate.MAX, PORT);

  @Test
  void anAddressLiesInTheHeaderAsTheKernelReadsIt() {
    assertThat(written(new MadAddress(GLOBAL, 0x123456, 0x80010000, 4)))
        .isEqualTo(
            "0000000000000000000000000000000000000000" // agent to length
                + "00123456"
                + "80010000"
                + "bffe0503"
                + "0101c8e0"
                + "fe800000000000000000000000100007"
                + "000abcde"
                + "0400" // in this computer's order
                + "000000000000");
  }

  @Test
  void anAddressThatWasWrittenIsReadAgain() {
    for (AhAttr route : new AhAttr[] {LOCAL, GLOBAL}) {
      MadAddress address = new MadAddress(route, 0xfffffe, 0x1234, 0xfffe);
      assertThat(readAgain(address)).isEqualTo(address);
    }
  }

  @Test
  void queuePairOneIsAnsweredWithItsOwnQkey() {
    assertThat(readAgain(new MadAddress(LOCAL, 1, 0, 0)).qkey()).isEqualTo(Iba.DEFAULT_QP1_QKEY);
  }

  @Test
  void nothingStaysOfTheAddressBefore() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment umad = arena.allocate(IbUserMad.LAYOUT.size(), 8);
      UmadAddress.write(new MadAddress(GLOBAL, 1, 2, 3), umad);
      UmadAddress.write(new MadAddress(LOCAL, 1, 2, 3), umad);
      assertThat(hex(umad)).isEqualTo(written(new MadAddress(LOCAL, 1, 2, 3)));
    }
  }

  private static String written(MadAddress address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment umad = arena.allocate(IbUserMad.LAYOUT.size(), 8);
      UmadAddress.write(address, umad);
      return hex(umad);
    }
  }

  private static MadAddress readAgain(MadAddress address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment umad = arena.allocate(IbUserMad.LAYOUT.size(), 8);
      UmadAddress.write(address, umad);
      return UmadAddress.read(umad, PORT);
    }
  }

  private static String hex(MemorySegment umad) {
    return HexFormat.of().formatHex(umad.toArray(ValueLayout.JAVA_BYTE));
  }
}
