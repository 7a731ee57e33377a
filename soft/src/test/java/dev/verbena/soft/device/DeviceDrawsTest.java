package dev.verbena.soft.device;

import dev.verbena.proofs.Randomness;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * A million first PSNs, keys of windows and keys of null regions that a device gives to a program:
 * none can be predicted from earlier ones. There is no seed to repeat this; {@link Randomness} says
 * how rarely chance makes it fail.
 */
class DeviceDrawsTest {
  private static final int DRAWS = 1_000_000;

  /** How many are in use at a time. */
  private static final int IN_USE = 1000;

  private static void assertRandom(String name, int[] values, int bits) {
    new Randomness(name, values, bits).followsNoRule(1, 2, IN_USE);
  }

  @Test
  void aMillionFirstPsnsFollowNoRule() {
    int[] psns = new int[DRAWS];
    try (Context context = Devices.open("soft:new");
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(1)) {
      QueuePair[] qps = new QueuePair[IN_USE];
      for (int i = 0; i < IN_USE; i++) {
        qps[i] = pd.createQp(QpInitAttr.rc(cq).cap(new QpCap(1, 1, 1, 1, 0)));
      }
      QpAttr reset = new QpAttr().qpState(QpState.RESET);
      for (int i = 0; i < DRAWS; i++) {
        QueuePair qp = qps[i % IN_USE];
        psns[i] = qp.endpoint().psn();
        qp.modify(reset);
      }
      for (QueuePair qp : qps) {
        qp.close();
      }
    }
    assertRandom("first PSNs", psns, 24);
  }

  @Test
  void aMillionKeysOfWindowsFollowNoRule() {
    int[] keys = new int[DRAWS];
    try (Context context = Devices.open("soft:new");
        ProtectionDomain pd = context.allocPd()) {
      Queue<MemoryWindow> inUse = new ArrayDeque<>();
      for (int i = 0; i < DRAWS; i++) {
        MemoryWindow window = pd.allocMw(i % 3 == 0 ? MwType.TYPE_1 : MwType.TYPE_2);
        keys[i] = window.rkey();
        inUse.add(window);
        if (inUse.size() > IN_USE) {
          inUse.remove().dealloc();
        }
      }
    }
    assertRandom("keys of windows", keys, 32);
  }

  @Test
  void aMillionKeysOfNullRegionsFollowNoRule() {
    int[] keys = new int[DRAWS];
    try (Context context = Devices.open("soft:new");
        ProtectionDomain pd = context.allocPd()) {
      Queue<MemoryRegion> inUse = new ArrayDeque<>();
      for (int i = 0; i < DRAWS; i++) {
        MemoryRegion region = pd.allocNullMr();
        keys[i] = region.lkey();
        inUse.add(region);
        if (inUse.size() > IN_USE) {
          inUse.remove().dereg();
        }
      }
    }
    assertRandom("keys of null regions", keys, 32);
  }
}
