package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Every operation on one connection, small and large, with the expected results. */
final class EveryOperation {
  private static final int LONG = 2000;
  private static final int AREA = 16 * 1024;
  private static final int ADDEND = 3;

  private final Rig rig;
  private final Block local;
  private final Block landing;
  private final Block inbox;
  private final Block target;
  private final Block source;
  private final Block counter;
  private final List<String> expectedSends = new ArrayList<>();
  private final List<String> expectedReceives = new ArrayList<>();
  private long adds;

  EveryOperation(Rig rig) {
    this.rig = rig;
    local = rig.a.memory(AREA).scribble(1);
    landing = rig.a.memory(AREA);
    inbox = rig.b.memory(AREA);
    target = rig.b.memory(AREA);
    source = rig.b.memory(AREA).scribble(2);
    counter = rig.b.memory(8);
  }

  /** Posts each operation once, from A to B. */
  void post(int round) {
    int id = round * 100;
    rig.b.postRecv(id, inbox);
    rig.b.postRecv(id + 1, wqe -> {});
    rig.b.postRecv(id + 2, inbox);
    rig.a.postSend(id, local, LONG);
    rig.a.postWrite(id + 1, local, LONG + 1, target);
    rig.a.postRead(id + 2, landing, LONG + 2, source);
    rig.a.postFetchAdd(id + 3, rig.a.memory(8), counter, ADDEND);
    rig.a.postWriteImm(id + 4, local, LONG + 3, target, round);
    rig.a.postCompareSwap(id + 5, rig.a.memory(8), counter, -1, -2);
    rig.a.postSendImm(id + 6, local, 5, round);
    rig.a.postRead(id + 7, landing, 5, source);
    rig.a.postWrite(id + 8, local, 0, target);
    adds++;
    for (int i = 0; i <= 8; i++) {
      expectedSends.add("" + (id + i));
    }
    for (int i = 0; i <= 2; i++) {
      expectedReceives.add("" + (id + i));
    }
  }

  /** Everything completed exactly once, in order, with the right data. */
  void assertDone() {
    assertThat(rig.a.sendResults()).isEqualTo(expectedSends);
    assertThat(rig.b.receiveResults()).isEqualTo(expectedReceives);
    assertThat(counter.getLong(0)).isEqualTo(adds * ADDEND);
    assertThat(inbox.bytes(0, LONG)).isEqualTo(local.bytes(0, LONG));
    assertThat(target.bytes(0, LONG + 3)).isEqualTo(local.bytes(0, LONG + 3));
    assertThat(target.bytes(LONG + 3, 100)).containsOnly(0);
    assertThat(landing.bytes(0, LONG + 2)).isEqualTo(source.bytes(0, LONG + 2));
    expectedSends.clear();
    expectedReceives.clear();
  }
}
