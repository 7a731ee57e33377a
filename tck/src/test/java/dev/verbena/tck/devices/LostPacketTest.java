package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.proofs.HeardLog;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a link says of packets that it gives up. Runs alone, because it listens to the log. */
@Isolated
final class LostPacketTest {
  private static final int PACKETS = 3;

  @Test
  void sharedMemoryCountsWhatItLosesAndSaysWhyOnce() {
    assumeThat(TckLink.selected()).as("links that are tested").contains(TckLink.SHM);
    String nobody = Addresses.next();
    try (HeardLog log = new HeardLog("dev.verbena.soft.link");
        QpPair pair = PairSetup.on(TckLink.SHM).type(QpType.UD).open()) {
      QpEnd sender = pair.left();
      for (int i = 0; i < PACKETS; i++) {
        sender
            .qp()
            .postSend(
                SendWrs.send(i, sender.sge(0, 8))
                    .ah(sender.pd().createAh(AhAttr.to(Gid.parse(nobody))))
                    .remoteQpn(pair.right().qp().qpNum())
                    .remoteQkey(PairSetup.QKEY));
        sender.sent(i);
      }
      assertThat(sender.context().counters().get(Counter.SEND_LOST)).isEqualTo(PACKETS);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("send from 127.")
          .endsWith(
              " to "
                  + nobody
                  + ": a packet is lost: no process of this user has a device there that shares"
                  + " memory; repeats are counted as send_lost");
    }
  }
}
