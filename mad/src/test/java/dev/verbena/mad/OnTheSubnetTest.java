package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.spi.Subnet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the administrator on the subnet of the software device, from path resolution to data
 * transfer.
 */
class OnTheSubnetTest {

  @ParameterizedTest
  @ValueSource(strings = {"auto", "packet"})
  void aPathThatTheAdministratorGivesConnectsQueuePairs(String link) {
    try (Context here = Devices.open("ib:here-" + link + "?lmc=1&link=" + link);
        Context there = Devices.open("ib:there-" + link + "?link=" + link);
        MadTransactor mad = Mads.getGmpMad(here.endPort(), here)) {
      assertThat(here.endPort().smLid()).isEqualTo(Subnet.of(here).smLid()).isPositive();
      IbPath path =
          PathResolver.resolvePath(
              mad, IbPath.builder(here.endPort()).dgid(there.queryGid(1, 0)).build());
      assertThat(path.dlid()).isEqualTo(there.queryPort(1).lid());
      assertThat(path.slid()).isEqualTo(here.queryPort(1).lid());
      CompletionQueue cq = here.createCq(8);
      ProtectionDomain pd = here.allocPd();
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
      ProtectionDomain otherPd = there.allocPd();
      QueuePair other = otherPd.createQp(QpInitAttr.rc(there.createCq(8)));
      MemoryRegion target = otherPd.allocMr(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
      IbPath way =
          path.copy(
              each ->
                  each.sqpn(qp.qpNum())
                      .dqpn(other.qpNum())
                      .sqpsn(7)
                      .dqpsn(9)
                      .srdatomic(1)
                      .drdatomic(1));
      IbPath back = way.reverse(false).copy(each -> each.endPort(there.endPort()));
      qp.establish(way, 0);
      other.establish(back, Access.REMOTE_WRITE);
      qp.postSend(
          new SendWr()
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(mr.sge())
              .rkey(target.rkey())
              .remoteAddr(target.addr()));
      WorkCompletion wc = new WorkCompletion();
      long deadline = System.nanoTime() + 10_000_000_000L;
      while (!cq.poll(wc)) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
      wc.orThrow();
    }
  }
}
