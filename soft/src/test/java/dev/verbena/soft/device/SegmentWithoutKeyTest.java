package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An element with only a memory segment is valid as inline data only. */
@Timeout(30)
class SegmentWithoutKeyTest {
  private final ConnectedQp connected =
      ConnectedQp.open("?link=packet", new QpCap(4, 4, 2, 2, 16), SendOps.SEND);

  @AfterEach
  void close() {
    connected.close();
  }

  @Test
  void aSendNeedsTheInlineFlag() {
    SendWr wr = write(new Sge(), segment());
    refused(() -> connected.qp().postSend(wr), "SGE 1", "SendFlags.INLINE", "mr.sge()");
    connected.qp().postSend(write(segment()).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
    assertThat(connected.awaitCompletion().status()).isEqualTo(WcStatus.SUCCESS);
  }

  @Test
  void aReceiveNeedsRegisteredMemory() {
    RecvWr wr = new RecvWr().sgList(segment());
    refused(() -> connected.qp().postRecv(wr), "SGE 0", "mr.sge()");
  }

  @Test
  void aSegmentThatGotAKeyIsAnAddressInARegion() {
    Sge sge =
        Sge.of(connected.mr().memory().asSlice(0, 8))
            .addr(connected.mr().addr())
            .lkey(connected.mr().lkey());
    connected.qp().postSend(write(sge).sendFlags(SendFlags.SIGNALED));
    assertThat(connected.awaitCompletion().status()).isEqualTo(WcStatus.SUCCESS);
  }

  private static Sge segment() {
    return Sge.of(MemorySegment.ofArray(new byte[8]));
  }

  private SendWr write(Sge... list) {
    return new SendWr()
        .opcode(WrOpcode.RDMA_WRITE)
        .remoteAddr(connected.mr().addr())
        .rkey(connected.mr().rkey())
        .sgList(list);
  }

  private static void refused(ThrowingCallable call, String... parts) {
    WorkRequestException e = catchThrowableOfType(WorkRequestException.class, call);
    assertThat(e).hasMessageContainingAll(parts);
    assertThat(e.errno()).isEqualTo(Errno.EINVAL);
    assertThat(e.index()).isZero();
  }
}
