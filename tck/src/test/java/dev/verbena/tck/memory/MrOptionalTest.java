package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AdviseMrAdvice;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttr;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendWr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Ways to register memory that not every device has. */
final class MrOptionalTest {

  @OnEveryLink
  @Proves("S5.1.10")
  void memoryOrADescriptorIsRegisteredNotBoth(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      ProtectionDomain pd = pair.right().pd();
      MemorySegment memory = Arena.global().allocate(64, 8);
      Refused.of(() -> pd.regMrEx(new MrInitAttr()), Errno.EINVAL).from("regMrEx");
      Refused.of(() -> pd.regMrEx(new MrInitAttr().memory(memory).fd(0, 0, 64)), Errno.EINVAL)
          .from("regMrEx");
      MrInitAttr attr = new MrInitAttr().memory(memory);
      attr.access(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
      for (MemoryRegion mr : new MemoryRegion[] {pd.regMrEx(attr), pd.regMrEx(attr.iova(4096))}) {
        long value = mr.addr() + 1;
        assertThat(mr.addr()).isIn(memory.address(), 4096L);
        pair.left().setLong(0, value);
        SendWr write = MwSetup.write(1, pair, mr.rkey(), mr.addr());
        pair.left().qp().postSend(write);
        pair.left().sent(1);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(value);
      }
    }
  }

  @OnEveryLink
  @Proves({"S5.1.9", "S5.1.10"})
  void whatTheDeviceLacksItRefusesByName(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      ProtectionDomain pd = left.pd();
      var extended = left.context().queryDeviceEx();
      if (extended.odpCaps().generalCaps() == 0) {
        Refused.of(() -> pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, left.sge(0, 64)), Errno.EOPNOTSUPP)
            .from("adviseMr");
      }
      Refused.of(() -> pd.regDmabufMr(0, 64, 0, 0, Access.LOCAL_WRITE), Errno.EOPNOTSUPP)
          .from("regDmabufMr");
      MrInitAttr dmabuf = new MrInitAttr().fd(0, 0, 64).iova(0);
      Refused.of(() -> pd.regMrEx(dmabuf), Errno.EOPNOTSUPP).from("regDmabufMr");
      if (extended.maxDmSize() == 0) {
        Refused.of(() -> left.context().allocDm(64), Errno.EOPNOTSUPP).from("allocDm");
        Refused.of(() -> pd.regDmMr(null, 0, 64, Access.ZERO_BASED), Errno.EOPNOTSUPP)
            .from("regDmMr");
      }
      Refused.of(() -> left.context().importDm(1), Errno.EOPNOTSUPP).from("importDm");
    }
  }
}
