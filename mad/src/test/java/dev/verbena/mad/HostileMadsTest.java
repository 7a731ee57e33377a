package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.mad.sa.FakeSubnet;
import dev.verbena.mad.sa.SubnetAdministrator;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfoRecord;
import dev.verbena.wire.mad.RmppHeader;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;

/** Sends arbitrary bytes to both ends; a failure reports the seed of the run. */
class HostileMadsTest {
  private static final int ROUNDS = 20_000;
  private static final MadAddress AGENT =
      MadAddress.qp1(AhAttr.to(Gid.ZERO).withoutGrh().withDlid(1));
  private static final List<Format> FORMATS =
      List.of(
          PathRecord.FORMAT,
          NodeRecord.FORMAT,
          PortInfoRecord.FORMAT,
          McMemberRecord.FORMAT,
          ServiceRecord.FORMAT);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private MemorySegment request() {
    Attribute query = new Attribute(FORMATS.get(random.nextInt(FORMATS.size())));
    return switch (random.nextInt(4)) {
      case 0 -> MadCall.subnAdmGet(query).request();
      case 1 -> MadCall.subnAdmSet(query).request();
      case 2 -> MadCall.subnAdmDelete(query).request();
      default -> MadCall.subnAdmGetTable(query).request();
    };
  }

  /** Changes some bytes, mostly in headers, and often to meaningful values. */
  private void spoil(MemorySegment mad) {
    int changes = random.nextInt(6);
    for (int n = 0; n < changes; n++) {
      long at = random.nextInt(random.nextBoolean() ? SaHeader.DATA : MadHeader.MAD_LENGTH);
      byte value = (byte) (random.nextBoolean() ? random.nextInt(8) : random.nextInt());
      mad.set(ValueLayout.JAVA_BYTE, at, value);
    }
    if (random.nextInt(4) == 0) {
      long mask = random.nextLong() >>> random.nextInt(Long.SIZE);
      SaHeader.COMPONENT_MASK.set(mad, SaHeader.OFFSET, mask);
    }
    if (random.nextInt(4) == 0) {
      RmppHeader.FLAGS.set(mad, RmppHeader.OFFSET, random.nextInt(8));
      RmppHeader.TYPE.set(mad, RmppHeader.OFFSET, random.nextInt(6));
      RmppHeader.VERSION.set(mad, RmppHeader.OFFSET, random.nextInt(2));
      RmppHeader.SEGMENT.set(mad, RmppHeader.OFFSET, random.nextInt(-1, 5));
      RmppHeader.LENGTH_OR_WINDOW.set(mad, RmppHeader.OFFSET, random.nextInt(-2, 300));
    }
  }

  @RepeatedTest(5)
  void theAdministratorTakesAnything() {
    FakeSubnet subnet = new FakeSubnet(5);
    SubnetAdministrator agent = new SubnetAdministrator();
    List<MemorySegment> answers = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      MemorySegment mad = request();
      MadHeader.TRANSACTION_ID.set(mad, 0, random.nextInt(4));
      spoil(mad);
      answers.clear();
      assertThatCode(
              () -> agent.receive(subnet, FakeSubnet.source(random.nextInt(7)), mad, answers::add))
          .as("seed %d", seed)
          .doesNotThrowAnyException();
      assertThat(answers).as("seed %d", seed).hasSizeLessThanOrEqualTo(64);
      assertThat(answers)
          .as("seed %d", seed)
          .allMatch(answer -> answer.byteSize() == MadHeader.MAD_LENGTH);
    }
  }

  @RepeatedTest(5)
  void theTransactorTakesAnything() {
    List<MemorySegment> sent = new ArrayList<>();
    List<Throwable> odd = new ArrayList<>();
    Transactions transactions = new Transactions((to, mad, within) -> sent.add(copy(mad)), 7);
    FakeSubnet subnet = new FakeSubnet(5);
    SubnetAdministrator agent = new SubnetAdministrator();
    for (int round = 0; round < ROUNDS; round++) {
      if (transactions.waiting() < 3) {
        transactions.start(round, transaction(odd));
      }
      List<MemorySegment> requests = List.copyOf(sent);
      sent.clear();
      for (MemorySegment request : requests) {
        agent.receive(
            subnet,
            FakeSubnet.source(2),
            request,
            answer -> {
              MemorySegment mad = copy(answer);
              spoil(mad);
              assertThatCode(() -> transactions.receive(0, AGENT, mad))
                  .as("seed %d", seed)
                  .doesNotThrowAnyException();
            });
      }
      transactions.expire(round);
      transactions.takeDone().forEach(Transactions.Done::tell);
    }
    assertThat(odd).as("seed %d", seed).isEmpty();
  }

  private Transaction transaction(List<Throwable> odd) {
    MadCall<List<Attribute>> call =
        MadCall.subnAdmGetTable(new Attribute(FORMATS.get(random.nextInt(FORMATS.size()))));
    return new Transaction(
        "fuzz",
        AGENT,
        call.request(),
        Duration.ofNanos(3),
        2,
        1000,
        (reply, failure) -> {
          try {
            if (reply != null) {
              assertThat(call.result(reply)).hasSizeLessThan(30);
            }
          } catch (MadException e) {
            assertThat(e).hasMessageNotContaining("null");
          } catch (RuntimeException e) {
            odd.add(e);
          }
        });
  }

  private static MemorySegment copy(MemorySegment mad) {
    return MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]).copyFrom(mad);
  }
}
