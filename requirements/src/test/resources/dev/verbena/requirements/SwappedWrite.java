import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.vtools.Completions;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** Posts the made-up request on each device, and prints how it completes and what arrives. */
final class SwappedWrite {
  private static final int BYTES = 5_000;

  public static void main(String[] devices) {
    for (String device : devices) {
      post(device);
    }
  }

  private static void post(String device) {
    try (Context ctx = Devices.open(device);
        ProtectionDomain pd = ctx.allocPd();
        CompletionQueue cq = ctx.createCq(16);
        MemoryRegion src = pd.allocMr(BYTES, Access.LOCAL_WRITE);
        MemoryRegion dst = pd.allocMr(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        QueuePairEx a = pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.RDMA_WRITE_SWAPPED));
        QueuePair b = pd.createQp(QpInitAttr.rc(cq))) {
      a.connect(b.endpoint());
      b.connect(a.endpoint(), Access.REMOTE_WRITE);
      for (int i = 0; i < BYTES; i++) {
        src.memory().set(ValueLayout.JAVA_BYTE, i, (byte) (7 * i));
      }
      a.wrStart();
      a.wrId(1).wrFlags(SendFlags.SIGNALED);
      a.wrRdmaWriteSwapped(dst.rkey(), dst.addr());
      a.wrSetSge(src.lkey(), src.addr(), BYTES);
      a.wrComplete();
      System.out.print(device + ": " + Completions.await(cq, Duration.ofSeconds(30)).status());
      int wrong = 0;
      for (int i = 0; i < BYTES; i++) {
        int sent = 7 * i & 0xFF;
        int arrived = dst.memory().get(ValueLayout.JAVA_BYTE, i) & 0xFF;
        wrong += arrived == (sent >> 4 | sent << 4 & 0xF0) ? 0 : 1;
      }
      System.out.println(", " + wrong + " bytes are wrong");
    }
  }
}
