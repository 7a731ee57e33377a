package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.RmppHeader;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests requests and acknowledgements that the requester's link loses, repeats and corrupts. */
class LossyMadsTest {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final long SEED = System.nanoTime() & 0xffff;
  private static final String BAD = "drop:0.15,dup:0.2,reorder:0.1,corrupt:0.03,seed:" + SEED;
  private static final int SERVICES = 80;

  /**
   * Timer codes: eight tries of a second each, of which one in five is lost; a slow one may fail
   * too.
   */
  private static final int SECOND = 16;

  private static final int RETRIES = 7;

  /** The same for requests that are never answered. */
  private static final int SHORT = 8;

  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger acknowledgements = new AtomicInteger();
  private final AtomicInteger segments = new AtomicInteger();

  private Context context;
  private EndPort endPort;

  @AfterEach
  void close() {
    context.close();
  }

  private MadTransactor open(String faults, int timer, int retries) {
    context = Devices.open("ib:lossy" + NAMES.incrementAndGet() + "?faults=" + faults);
    endPort = context.endPort();
    IbPath quick =
        endPort
            .saPath()
            .copy(path -> path.packetLifeTime(timer).respTime(timer + 1).retries(retries));
    MadTransactor mad = Mads.getGmpMad(endPort, context, quick);
    mad.trace(new Counting());
    return mad;
  }

  /** Counts the datagrams that pass. */
  private final class Counting implements MadTrace {
    @Override
    public void sent(MadAddress to, MemorySegment mad) {
      (isRmpp(mad) ? acknowledgements : requests).incrementAndGet();
    }

    @Override
    public void received(MadAddress from, MemorySegment mad) {
      if (isRmpp(mad)) {
        segments.incrementAndGet();
      }
    }

    private static boolean isRmpp(MemorySegment mad) {
      return (RmppHeader.FLAGS.get(mad, RmppHeader.OFFSET) & RmppHeader.ACTIVE) != 0;
    }
  }

  private static Attribute service(EndPort port, int number) {
    return new Attribute(ServiceRecord.FORMAT)
        .set(ServiceRecord.SERVICE_ID, 0x5000 + number)
        .set(ServiceRecord.SERVICE_GID, port.defaultGid().toBytes())
        .set(ServiceRecord.SERVICE_PKEY, 0xffff);
  }

  private static Attribute servicesOf(EndPort port) {
    return new Attribute(ServiceRecord.FORMAT)
        .set(ServiceRecord.SERVICE_GID, port.defaultGid().toBytes());
  }

  @Test
  void whatIsLostIsAskedAgainUntilItIsAnswered() throws Exception {
    try (MadTransactor mad = open(BAD, SECOND, RETRIES)) {
      List<CompletableFuture<Attribute>> offers = new ArrayList<>();
      for (int number = 0; number < SERVICES; number++) {
        offers.add(mad.async(MadCall.subnAdmSet(service(endPort, number))));
      }
      for (int number = 0; number < SERVICES; number++) {
        assertThat(offers.get(number).get(60, TimeUnit.SECONDS).get(ServiceRecord.SERVICE_ID))
            .as("seed %d", SEED)
            .isEqualTo(0x5000 + number);
      }
      assertThat(context.counters().get(Counter.FAULTS_DROPPED)).as("seed %d", SEED).isPositive();
      assertThat(requests).as("seed %d", SEED).hasValueGreaterThan(SERVICES);
      assertThat(mad.waiting()).isZero();

      // 71 segments, so more than two windows of them.
      List<Attribute> all = mad.subnAdmGetTable(servicesOf(endPort));
      assertThat(all)
          .as("seed %d", SEED)
          .extracting(record -> (int) record.get(ServiceRecord.SERVICE_ID) - 0x5000)
          .containsExactlyInAnyOrderElementsOf(numbers());
      assertThat(segments).as("seed %d", SEED).hasValueGreaterThanOrEqualTo(71);
      assertThat(acknowledgements).as("seed %d", SEED).hasValueGreaterThanOrEqualTo(3);
    }
  }

  private static List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; number < SERVICES; number++) {
      numbers.add(number);
    }
    return numbers;
  }

  @Test
  void whatIsAlwaysLostIsSentOnceForEachTryAndThenFails() {
    try (MadTransactor mad = open("drop:1", SHORT, 4)) {
      MadException late =
          catchThrowableOfType(
              MadException.class, () -> mad.subnAdmGet(new Attribute(PathRecord.FORMAT)));
      assertThat(late.kind()).isEqualTo(MadException.Kind.TIMEOUT);
      assertThat(late).hasMessageContaining("sent 5 times");
      assertThat(requests).hasValue(5);
      assertThat(context.counters().get(Counter.FAULTS_DROPPED)).isEqualTo(5);
    }
  }

  @Test
  void anAnswerThatComesTwiceCountsOnce() throws Exception {
    try (MadTransactor mad = open("dup:1", SECOND, RETRIES)) {
      Attribute query = new Attribute(PathRecord.FORMAT).set(PathRecord.SLID, endPort.lid());
      List<CompletableFuture<List<Attribute>>> tables = new ArrayList<>();
      for (int n = 0; n < 20; n++) {
        tables.add(mad.async(MadCall.subnAdmGetTable(query.copy().set(PathRecord.DLID, 1))));
      }
      for (CompletableFuture<List<Attribute>> table : tables) {
        assertThat(table.get(60, TimeUnit.SECONDS)).hasSize(1);
      }
      assertThat(context.counters().get(Counter.FAULTS_DUPLICATED)).isGreaterThanOrEqualTo(20);
      assertThat(mad.waiting()).isZero();
    }
  }
}
