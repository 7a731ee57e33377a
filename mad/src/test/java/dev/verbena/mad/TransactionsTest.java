package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.RmppHeader;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.VendorHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionsTest {
  private static final MadAddress AGENT =
      MadAddress.qp1(AhAttr.to(Gid.ZERO).withoutGrh().withDlid(1));
  private static final Duration TIMEOUT = Duration.ofMillis(100);
  private static final long MS = 1_000_000;

  private final List<MemorySegment> sent = new ArrayList<>();
  private final Transactions transactions =
      new Transactions((to, mad, within) -> sent.add(copy(mad)), 0x7fff_ffff);
  private @Nullable MadReply reply;
  private @Nullable RdmaException failure;
  private int ended;

  private Transaction ask(MadCall<?> call, int retries, int maxBytes) {
    Transaction transaction =
        new Transaction(
            call.toString(),
            AGENT,
            call.request(),
            TIMEOUT,
            retries,
            maxBytes,
            (answer, reason) -> {
              reply = answer;
              failure = reason;
              ended++;
            });
    transactions.start(0, transaction);
    return transaction;
  }

  private static MadCall<Attribute> get() {
    return MadCall.subnAdmGet(new Attribute(PathRecord.FORMAT).set(PathRecord.DLID, 4));
  }

  private static MadCall<List<Attribute>> table() {
    return MadCall.subnAdmGetTable(new Attribute(PathRecord.FORMAT).set(PathRecord.DLID, 4));
  }

  private void receive(MemorySegment mad) {
    transactions.receive(MS, AGENT, mad);
    tell();
  }

  private void tell() {
    transactions.takeDone().forEach(Transactions.Done::tell);
  }

  private static MemorySegment copy(MemorySegment mad) {
    return MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]).copyFrom(mad);
  }

  private static MemorySegment answer(MemorySegment request) {
    MemorySegment mad = copy(request);
    int method = (int) MadHeader.METHOD.get(mad, 0);
    MadHeader.METHOD.set(mad, 0, MadMethod.answerTo(method));
    return mad;
  }

  /** Segment {@code number} of {@code count}, all full except the last, which has one record. */
  private static MemorySegment segment(MemorySegment request, int number, int count) {
    MemorySegment mad = answer(request);
    rmpp(mad, RmppHeader.VERSION, RmppHeader.VERSION_1);
    rmpp(mad, RmppHeader.TYPE, RmppHeader.DATA);
    int first = number == 1 ? RmppHeader.FIRST : 0;
    int last = number == count ? RmppHeader.LAST : 0;
    rmpp(mad, RmppHeader.FLAGS, RmppHeader.ACTIVE | first | last);
    rmpp(mad, RmppHeader.SEGMENT, number);
    int length = last != 0 ? SaHeader.FORMAT.length() + 8 : 0;
    rmpp(mad, RmppHeader.LENGTH_OR_WINDOW, length);
    SaHeader.ATTRIBUTE_OFFSET.set(mad, SaHeader.OFFSET, 8);
    MemorySegment data = mad.asSlice(SaHeader.DATA);
    data.fill((byte) number);
    return mad;
  }

  private static void rmpp(MemorySegment mad, Field field, long value) {
    field.set(mad, RmppHeader.OFFSET, value);
  }

  private static long rmpp(MemorySegment mad, Field field) {
    return field.get(mad, RmppHeader.OFFSET);
  }

  private MadException madFailure() {
    return (MadException) Objects.requireNonNull(failure);
  }

  @Test
  void anAnswerEndsTheRequestItBelongsTo() {
    ask(get(), 0, 0);
    ask(get(), 0, 0);
    assertThat(sent).hasSize(2);
    MemorySegment answer = answer(sent.get(1));
    PathRecord.FORMAT.place(PathRecord.SLID).set(answer, SaHeader.DATA, 7);
    // The transport may use the upper half of the transaction ID.
    long id = MadHeader.TRANSACTION_ID.get(answer, 0);
    MadHeader.TRANSACTION_ID.set(answer, 0, id | 0xABCD_0000_0000L);
    receive(answer);
    assertThat(ended).isEqualTo(1);
    assertThat(get().result(Objects.requireNonNull(reply)).get(PathRecord.SLID)).isEqualTo(7);
    assertThat(transactions.waiting()).isEqualTo(1);
    receive(answer);
    assertThat(ended).as("a duplicate counts for nothing").isEqualTo(1);
  }

  @Test
  void whatIsNoAnswerIsIgnored() {
    ask(get(), 0, 0);
    MemorySegment answer = answer(sent.getFirst());
    for (Field field :
        List.of(
            MadHeader.MGMT_CLASS,
            MadHeader.METHOD,
            MadHeader.ATTRIBUTE_ID,
            MadHeader.TRANSACTION_ID)) {
      MemorySegment other = copy(answer);
      field.set(other, 0, field.get(other, 0) + 1);
      receive(other);
      assertThat(ended).as(field.name()).isZero();
    }
    receive(sent.getFirst());
    MemorySegment busy = copy(answer);
    MadHeader.STATUS.set(busy, 0, MadStatus.BUSY);
    receive(busy);
    assertThat(ended).isZero();
    receive(answer);
    assertThat(reply).isNotNull();
  }

  @Test
  void aRequestIsRepeatedInItsTimeAndThenFails() {
    ask(get(), 2, 0);
    assertThat(transactions.nextDeadline()).isEqualTo(100 * MS);
    transactions.expire(100 * MS - 1);
    assertThat(sent).hasSize(1);
    transactions.expire(100 * MS);
    transactions.expire(200 * MS);
    assertThat(sent).hasSize(3);
    assertThat(sent.get(2).mismatch(sent.getFirst())).isEqualTo(-1);
    assertThat(ended).isZero();
    transactions.expire(300 * MS);
    tell();
    assertThat(madFailure().kind()).isEqualTo(MadException.Kind.TIMEOUT);
    assertThat(madFailure())
        .hasMessage(
            "Get(PathRecord(DLID=0x4)): no response from LID 1, queue pair 1, sent 3 times with a"
                + " timeout of 100 ms each");
    assertThat(transactions.nextDeadline()).isNull();
    assertThat(transactions.waiting()).isZero();
  }

  @Test
  void anErrorIsToldByItsStatus() {
    ask(get(), 0, 0);
    MemorySegment answer = answer(sent.getFirst());
    MadHeader.STATUS.set(answer, 0, MadStatus.SA_NO_RECORDS);
    receive(answer);
    assertThat(Objects.requireNonNull(reply).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    MadException refused =
        catchThrowableOfType(MadException.class, () -> get().result(Objects.requireNonNull(reply)));
    assertThat(refused).hasMessage("Get(PathRecord(DLID=0x4)): 0x0300 no records");
    assertThat(refused.status()).isEqualTo(MadStatus.SA_NO_RECORDS);
  }

  @Test
  void segmentsOutOfOrderAndTwiceBecomeOneTable() {
    ask(table(), 0, 10_000);
    MemorySegment request = sent.removeFirst();
    receive(segment(request, 1, 5));
    assertThat(rmpp(sent.getLast(), RmppHeader.TYPE)).isEqualTo(RmppHeader.ACK);
    assertThat(rmpp(sent.getLast(), RmppHeader.SEGMENT)).isEqualTo(1);
    assertThat(rmpp(sent.getLast(), RmppHeader.LENGTH_OR_WINDOW))
        .isEqualTo(1 + RmppReceiver.WINDOW);
    assertThat(MadHeader.METHOD.get(sent.getLast(), 0)).isEqualTo(MadMethod.GET_TABLE);
    receive(segment(request, 4, 5));
    receive(segment(request, 3, 5));
    receive(segment(request, 3, 5));
    receive(segment(request, 5, 5));
    assertThat(ended).isZero();
    receive(segment(request, 2, 5));
    assertThat(rmpp(sent.getLast(), RmppHeader.SEGMENT)).isEqualTo(5);
    List<Attribute> records = table().result(Objects.requireNonNull(reply));
    // 4 × 200 + 8 bytes hold 12 records of 64 whole.
    assertThat(records).hasSize(12);
    assertThat(records.get(3).get(PathRecord.DLID)).isEqualTo(0x0202);
    assertThat(records.get(11).get(PathRecord.DLID)).isEqualTo(0x0404);
  }

  @Test
  void anAnswerThatStopsHalfwayIsAcknowledgedAgain() {
    ask(table(), 1, 10_000);
    MemorySegment request = sent.removeFirst();
    receive(segment(request, 1, 3));
    receive(segment(request, 3, 3));
    sent.clear();
    transactions.expire(200 * MS);
    assertThat(rmpp(sent.getFirst(), RmppHeader.TYPE)).isEqualTo(RmppHeader.ACK);
    assertThat(rmpp(sent.getFirst(), RmppHeader.SEGMENT)).isEqualTo(1);
    receive(segment(request, 2, 3));
    assertThat(reply).isNotNull();
  }

  @Test
  void repeatedSegmentsDoNotKeepARequestAliveForEver() {
    ask(table(), 0, 10_000);
    MemorySegment request = sent.removeFirst();
    receive(segment(request, 1, 3));
    Long deadline = transactions.nextDeadline();
    transactions.receive(50 * MS, AGENT, segment(request, 1, 3));
    assertThat(transactions.nextDeadline()).isEqualTo(deadline);
    transactions.expire(Objects.requireNonNull(deadline));
    tell();
    assertThat(madFailure().kind()).isEqualTo(MadException.Kind.TIMEOUT);
  }

  @Test
  void aTableThatIsTooLargeIsStopped() {
    ask(table(), 0, 500);
    MemorySegment request = sent.removeFirst();
    for (int number = 1; number <= 3 && ended == 0; number++) {
      receive(segment(request, number, 100));
    }
    assertThat(madFailure().kind()).isEqualTo(MadException.Kind.PROTOCOL);
    assertThat(rmpp(sent.getLast(), RmppHeader.TYPE)).isEqualTo(RmppHeader.STOP);
    assertThat(rmpp(sent.getLast(), RmppHeader.STATUS)).isEqualTo(RmppHeader.RESOURCES_EXHAUSTED);
  }

  @Test
  void segmentsBeyondTheWindowAreAborted() {
    ask(table(), 0, 1 << 20);
    MemorySegment request = sent.removeFirst();
    receive(segment(request, 2, 100));
    assertThat(madFailure().kind()).isEqualTo(MadException.Kind.PROTOCOL);
    assertThat(rmpp(sent.getLast(), RmppHeader.TYPE)).isEqualTo(RmppHeader.ABORT);
    assertThat(rmpp(sent.getLast(), RmppHeader.STATUS)).isEqualTo(RmppHeader.SEGMENT_TOO_BIG);
  }

  @Test
  void aSenderThatGivesUpEndsTheRequest() {
    ask(table(), 3, 10_000);
    MemorySegment abort = segment(sent.removeFirst(), 1, 3);
    rmpp(abort, RmppHeader.TYPE, RmppHeader.ABORT);
    rmpp(abort, RmppHeader.STATUS, RmppHeader.RESOURCES_EXHAUSTED);
    receive(abort);
    assertThat(madFailure().kind()).isEqualTo(MadException.Kind.PROTOCOL);
    assertThat(madFailure()).hasMessageContaining("RMPP status 1");
    assertThat(sent).isEmpty();
  }

  @Test
  void aTableInOneDatagramWithoutSegmentsIsOneRecord() {
    ask(table(), 0, 0);
    MemorySegment answer = answer(sent.getFirst());
    SaHeader.ATTRIBUTE_OFFSET.set(answer, SaHeader.OFFSET, 8);
    receive(answer);
    assertThat(table().result(Objects.requireNonNull(reply))).hasSize(1);
  }

  private Transaction ask(MadCall<?> call, Duration timeout) {
    Transaction transaction =
        new Transaction(
            call.toString(), AGENT, call.request(), timeout, 0, 500, (answer, _) -> reply = answer);
    transactions.start(0, transaction);
    return transaction;
  }

  @Test
  void aTimeoutOfCenturiesIsADay() {
    ask(get(), Iba.fromTimer(63).multipliedBy(2));
    assertThat(transactions.nextDeadline()).isEqualTo(Duration.ofDays(1).toNanos());
    ask(get(), Duration.ofDays(1).minusNanos(1));
    assertThat(transactions.nextDeadline()).isEqualTo(Duration.ofDays(1).toNanos() - 1);
  }

  /** Where there is no RMPP header, its twelve bytes are data. */
  @ParameterizedTest
  @ValueSource(ints = {MgmtClass.PERFORMANCE, MgmtClass.VENDOR, 0x2f, 0x50})
  void onlyClassesWithRmppHaveSegments(int mgmtClass) {
    MadCall<Attribute> call =
        MadCall.get(mgmtClass, new Attribute(ClassPortInfo.FORMAT), 0, IbPath.builder().build());
    ask(call, 0, 500);
    MemorySegment answer = answer(sent.getFirst());
    answer.asSlice(RmppHeader.OFFSET, RmppHeader.FORMAT.length()).fill((byte) 0x09);
    receive(answer);
    assertThat(reply).isNotNull();
    assertThat(call.result(Objects.requireNonNull(reply)).format()).isEqualTo(ClassPortInfo.FORMAT);
    assertThat(sent).as("no ACK").hasSize(1);
  }

  @Test
  void aVendorsAnswerInSegmentsHasTheDataOfAll() {
    IbPath path = IbPath.builder().build();
    MadCall<MadReply> call =
        MadCall.get(0x30, new Attribute(ClassPortInfo.FORMAT), 0, path)
            .withOui(0x001405)
            .withReply();
    ask(call, 0, 500);
    MemorySegment request = sent.removeFirst();
    assertThat(VendorHeader.OUI.get(request, VendorHeader.OFFSET)).isEqualTo(0x001405);
    for (int number = 1; number <= 2; number++) {
      MemorySegment segment = answer(request);
      segment.asSlice(VendorHeader.DATA).fill((byte) number);
      rmpp(segment, RmppHeader.VERSION, RmppHeader.VERSION_1);
      rmpp(segment, RmppHeader.TYPE, RmppHeader.DATA);
      int end = number == 1 ? RmppHeader.FIRST : RmppHeader.LAST;
      rmpp(segment, RmppHeader.FLAGS, RmppHeader.ACTIVE | end);
      rmpp(segment, RmppHeader.SEGMENT, number);
      rmpp(segment, RmppHeader.LENGTH_OR_WINDOW, VendorHeader.FORMAT.length() + 7L);
      receive(segment);
    }
    MemorySegment data = call.result(Objects.requireNonNull(reply)).data();
    assertThat(data.byteSize()).isEqualTo(216 + 7);
    assertThat(data.get(ValueLayout.JAVA_BYTE, 215)).isEqualTo((byte) 1);
    assertThat(data.get(ValueLayout.JAVA_BYTE, 216)).isEqualTo((byte) 2);
    MemorySegment ack = sent.getLast();
    assertThat(rmpp(ack, RmppHeader.TYPE)).isEqualTo(RmppHeader.ACK);
    assertThat(VendorHeader.OUI.get(ack, VendorHeader.OFFSET)).isEqualTo(0x001405);
  }

  @Test
  void anAnswerThatComesBackAlongADirectedRouteIsNoError() {
    IbPath path = IbPath.builder().drPath(List.of(0, 1, 4)).build();
    MadCall<Attribute> call = MadCall.subnGet(new Attribute(NodeInfo.FORMAT), 0, path);
    ask(call, 0, 0);
    MemorySegment answer = answer(sent.getFirst());
    DirectedRoute.DIRECTION.set(answer, 0, 1);
    NodeInfo.NUM_PORTS.set(answer, MgmtClass.dataOffset(MgmtClass.SUBN_DIRECTED_ROUTE), 36);
    receive(answer);
    assertThat(call.result(Objects.requireNonNull(reply)).get(NodeInfo.NUM_PORTS)).isEqualTo(36);
    ask(call, 0, 0);
    MemorySegment refusal = answer(sent.getLast());
    MadHeader.STATUS.set(refusal, 0, 0x8000 | MadStatus.UNSUPPORTED_ATTRIBUTE);
    receive(refusal);
    assertThatThrownBy(() -> call.result(Objects.requireNonNull(reply)))
        .hasMessageContaining("0x000c unsupported method and attribute");
  }

  @Test
  void aCancelledRequestIsForgotten() {
    Transaction transaction = ask(get(), 5, 0);
    transactions.cancel(transaction);
    receive(answer(sent.getFirst()));
    transactions.expire(Long.MAX_VALUE);
    tell();
    assertThat(ended).isZero();
    assertThat(transactions.waiting()).isZero();
  }

  @Test
  void whatASenderThrowsEndsItsRequestAndNoOther() {
    List<RdmaException> failures = new ArrayList<>();
    Transactions broken =
        new Transactions(
            (to, mad, within) -> {
              if (sent.isEmpty()) {
                sent.add(copy(mad));
                throw new IllegalStateException("a trace that fails");
              }
            },
            1);
    for (int n = 0; n < 2; n++) {
      broken.start(
          0,
          new Transaction(
              "Get(PathRecord)",
              AGENT,
              get().request(),
              TIMEOUT,
              0,
              1000,
              (answer, reason) -> failures.add(reason)));
    }
    broken.takeDone().forEach(Transactions.Done::tell);
    assertThat(failures)
        .singleElement()
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO))
        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
        .hasMessageContaining("Get(PathRecord) was not sent to LID 1, queue pair 1")
        .hasRootCauseMessage("a trace that fails");
    assertThat(broken.waiting()).isEqualTo(1);
  }

  @Test
  void aWholeTableIsAnAnswerThoughItsLastAckIsNotSent() {
    List<MadReply> answers = new ArrayList<>();
    Transactions deaf =
        new Transactions(
            (to, mad, within) -> {
              sent.add(copy(mad));
              if (sent.size() > 1) {
                throw new VerbsException("mad", Errno.ENOMEM, "no room");
              }
            },
            1);
    deaf.start(
        0,
        new Transaction(
            "GetTable(PathRecord)",
            AGENT,
            table().request(),
            TIMEOUT,
            0,
            1000,
            (answer, reason) -> answers.add(answer)));
    deaf.receive(MS, AGENT, segment(sent.getFirst(), 1, 1));
    deaf.takeDone().forEach(Transactions.Done::tell);
    assertThat(sent).hasSize(2);
    assertThat(answers).singleElement().isNotNull();
  }
}
