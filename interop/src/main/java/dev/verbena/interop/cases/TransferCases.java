package dev.verbena.interop.cases;

import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every operation that moves data: sizes around a packet's, at three path MTUs; PSN wrap. */
final class TransferCases {
  private static final int[] SIZES = {0, 1, 1023, 1024, 1025, 65536, 1 << 20};
  private static final List<Mtu> MTUS = List.of(Mtu.MTU_256, Mtu.MTU_1024, Mtu.MTU_4096);
  private static final List<WrOpcode> OPERATIONS =
      List.of(
          WrOpcode.RDMA_WRITE,
          WrOpcode.RDMA_WRITE_WITH_IMM,
          WrOpcode.RDMA_READ,
          WrOpcode.SEND,
          WrOpcode.SEND_WITH_IMM);

  /** Ten packets before the highest PSN, for messages of 20 packets. */
  private static final int PSN_BEFORE_WRAP = PairSettings.LAST_PSN - 9;

  private static final int TWENTY_PACKETS = 5000;

  static List<Case> list() {
    List<Case> cases = new ArrayList<>();
    for (WrOpcode opcode : OPERATIONS) {
      for (Mtu mtu : MTUS) {
        cases.add(
            new Case(
                name(opcode) + "/mtu-" + mtu.bytes(),
                PairSettings.USUAL.withMtu(mtu),
                pair -> allSizes(pair, opcode)));
      }
      cases.add(
          new Case(
              name(opcode) + "/psn-wrap",
              PairSettings.USUAL.withMtu(Mtu.MTU_256).withPsn(PSN_BEFORE_WRAP),
              pair -> {
                Transfer.run(pair, opcode, TWENTY_PACKETS, 1);
                Transfer.run(pair, opcode, TWENTY_PACKETS, 2);
              }));
    }
    return cases;
  }

  private static void allSizes(Pair pair, WrOpcode opcode) throws IOException {
    long wrId = 0;
    for (int size : SIZES) {
      if (size <= pair.settings().longestMessage()) {
        Transfer.run(pair, opcode, size, ++wrId);
      }
    }
  }

  private static String name(WrOpcode opcode) {
    return opcode.name().toLowerCase(Locale.ROOT).replace("rdma_", "").replace('_', '-');
  }

  private TransferCases() {}
}
