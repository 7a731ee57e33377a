package dev.verbena.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.spi.MadSource;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.RmppHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RmppSendersTest {
  /** 1000 records of 64 bytes are 320 segments of 200. */
  private static final List<Attribute> RECORDS =
      Collections.nCopies(1000, new Attribute(PathRecord.FORMAT));

  private final RmppSenders senders = new RmppSenders();
  private final List<Long> segments = new ArrayList<>();
  private final List<Long> types = new ArrayList<>();

  private static MemorySegment mad(long transactionId) {
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    MadHeader.METHOD.set(mad, 0, MadMethod.GET_TABLE);
    MadHeader.TRANSACTION_ID.set(mad, 0, transactionId);
    return mad;
  }

  private void begin(MadSource source, long transactionId) {
    int stride = PathRecord.FORMAT.length();
    senders.begin(source, mad(transactionId), RECORDS, stride, this::note);
  }

  private void acknowledge(MadSource source, long received, long window) {
    MemorySegment mad = mad(1);
    RmppHeader.FLAGS.set(mad, RmppHeader.OFFSET, RmppHeader.ACTIVE);
    RmppHeader.TYPE.set(mad, RmppHeader.OFFSET, RmppHeader.ACK);
    RmppHeader.SEGMENT.set(mad, RmppHeader.OFFSET, received);
    RmppHeader.LENGTH_OR_WINDOW.set(mad, RmppHeader.OFFSET, window);
    senders.receive(source, mad, this::note);
  }

  private void note(MemorySegment mad) {
    segments.add(RmppHeader.SEGMENT.get(mad, RmppHeader.OFFSET));
    types.add(RmppHeader.TYPE.get(mad, RmppHeader.OFFSET));
  }

  @Test
  void oneSegmentGoesFirstAndOneAckDrawsNoMoreThanABurst() {
    MadSource source = FakeSubnet.source(2);
    begin(source, 1);
    assertThat(segments).containsExactly(1L);
    segments.clear();
    acknowledge(source, 1, 0xffff_ffffL);
    assertThat(segments).hasSize(RmppSenders.BURST).startsWith(2L);
    segments.clear();
    acknowledge(source, 10, 12);
    assertThat(segments).as("what is missing comes again").containsExactly(11L, 12L);
    acknowledge(source, 320, 320);
    assertThat(senders.size()).isZero();
  }

  @Test
  void tablesThatNobodyFetchesAreForgotten() {
    for (int n = 1; n <= 3 * RmppSenders.LIMIT; n++) {
      begin(FakeSubnet.source(n), 1);
    }
    assertThat(senders.size()).isEqualTo(RmppSenders.LIMIT);
    segments.clear();
    acknowledge(FakeSubnet.source(1), 1, 5);
    assertThat(segments).isEmpty();
    acknowledge(FakeSubnet.source(3 * RmppSenders.LIMIT), 1, 5);
    assertThat(segments).hasSize(4);
  }

  @Test
  void whoAsksTwiceIsAnsweredOnce() {
    begin(FakeSubnet.source(2), 1);
    begin(FakeSubnet.source(2), 1);
    assertThat(senders.size()).isEqualTo(1);
  }

  @Test
  void anAckThatCannotBeEndsTheTable() {
    for (long[] ack : new long[][] {{321, 400}, {5, 4}}) {
      MadSource source = FakeSubnet.source(2);
      begin(source, 1);
      types.clear();
      acknowledge(source, ack[0], ack[1]);
      assertThat(types).containsExactly((long) RmppHeader.ABORT);
      assertThat(senders.size()).isZero();
    }
  }
}
