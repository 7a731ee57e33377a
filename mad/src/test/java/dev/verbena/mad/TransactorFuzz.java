package dev.verbena.mad;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.RmppHeader;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delivers arbitrary datagrams while requests are pending; for bin/fuzz. An input is a script of
 * {@link MadScript}, whose first number selects the request that a datagram answers, or lets time
 * pass.
 */
public final class TransactorFuzz {
  private static final int MOST_BYTES = 1000;
  private static final Duration TIMEOUT = Duration.ofNanos(3);
  private static final MadAddress AGENT =
      MadAddress.qp1(AhAttr.to(Gid.ZERO).withoutGrh().withDlid(1));
  private static final IbPath ROUTE = IbPath.builder().drPath(List.of(0, 1, 4)).build();

  private static final List<MadCall<?>> CALLS =
      List.of(
          MadCall.subnAdmGet(new Attribute(PathRecord.FORMAT)),
          MadCall.subnAdmGetTable(new Attribute(PathRecord.FORMAT)),
          MadCall.subnAdmGetTable(new Attribute(ServiceRecord.FORMAT)),
          MadCall.get(0x30, new Attribute(ClassPortInfo.FORMAT), 0, IbPath.builder().build()),
          MadCall.subnGet(new Attribute(NodeInfo.FORMAT), 0, ROUTE));

  private final Transactions transactions = new Transactions(this::sent, 0);
  private final boolean[] ended = new boolean[CALLS.size()];
  private int sent;
  private long now;

  /**
   * Only the documented exception for invalid responses, one end for each request, no more
   * datagrams sent than were received or due, and no more data than allowed.
   */
  public static void fuzzerTestOneInput(byte[] data) {
    new TransactorFuzz().run(new MadScript(data));
  }

  private void run(MadScript script) {
    for (int n = 0; n < CALLS.size(); n++) {
      int number = n;
      transactions.start(now, transaction(number));
    }
    while (script.hasNext()) {
      int which = script.next() % (CALLS.size() + 1);
      sent = 0;
      if (which == CALLS.size()) {
        now += TIMEOUT.toNanos();
        transactions.expire(now);
        require(sent <= CALLS.size(), "more is repeated than waits");
      } else {
        transactions.receive(now, AGENT, script.patched(answer(which)));
        require(sent <= 1, "more than one answer to a datagram");
      }
      transactions.takeDone().forEach(Transactions.Done::tell);
    }
  }

  private Transaction transaction(int number) {
    MadCall<?> call = CALLS.get(number);
    return new Transaction(
        call.toString(),
        AGENT,
        call.request(),
        TIMEOUT,
        3,
        MOST_BYTES,
        (reply, failure) -> {
          require(!ended[number], "a second end");
          ended[number] = true;
          judge(call, reply, failure);
        });
  }

  private static void judge(
      MadCall<?> call, @Nullable MadReply reply, @Nullable RdmaException failure) {
    if (reply == null) {
      require(failure != null && failure.getMessage() != null, "an end without a reason");
      return;
    }
    require(reply.data().byteSize() <= MOST_BYTES, "more data than allowed");
    try {
      Object result = call.result(reply);
      if (result instanceof List<?> records) {
        require(records.size() <= MOST_BYTES / PathRecord.FORMAT.length(), "too many records");
      }
    } catch (MadException documented) {
      require(documented.getMessage() != null, "it says nothing");
    }
  }

  /** A valid response to a request, if unchanged: for tables a first segment. */
  private static MemorySegment answer(int number) {
    MemorySegment mad = CALLS.get(number).request();
    int method = (int) MadHeader.METHOD.get(mad, 0);
    MadHeader.METHOD.set(mad, 0, MadMethod.answerTo(method));
    MadHeader.TRANSACTION_ID.set(mad, 0, number);
    if (method == MadMethod.GET_TABLE) {
      RmppHeader.VERSION.set(mad, RmppHeader.OFFSET, RmppHeader.VERSION_1);
      RmppHeader.TYPE.set(mad, RmppHeader.OFFSET, RmppHeader.DATA);
      RmppHeader.FLAGS.set(mad, RmppHeader.OFFSET, RmppHeader.ACTIVE | RmppHeader.FIRST);
      RmppHeader.SEGMENT.set(mad, RmppHeader.OFFSET, 1);
      SaHeader.ATTRIBUTE_OFFSET.set(mad, SaHeader.OFFSET, 8);
    }
    return mad;
  }

  private void sent(MadAddress to, MemorySegment mad, Duration answerWithin) {
    require(mad.byteSize() == MadHeader.MAD_LENGTH, "no MAD");
    sent++;
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  private TransactorFuzz() {}
}
