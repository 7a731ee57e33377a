package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendBatchTest {
  private static final Route ROUTE = Endpoint.routeTo(Gid.parse("10.0.0.1"));
  private static final Route SAME = Endpoint.routeTo(Gid.parse("10.0.0.1"));
  private static final Route OTHER = Endpoint.routeTo(Gid.parse("10.0.0.2"));

  private final SendBatch batch = new SendBatch(SendBatch.CAPACITY, 8192);

  private List<Integer> runs() {
    List<Integer> runs = new ArrayList<>();
    while (!batch.isEmpty()) {
      runs.add(batch.firstRun());
      batch.remove(batch.firstRun());
    }
    return runs;
  }

  private void add(Route route, int... lengths) {
    for (int length : lengths) {
      batch.add(length, route);
    }
  }

  @Test
  void aRunIsOfEqualDatagramsToOneDestinationAndTheLastMayBeShorter() {
    add(ROUTE, 80, 80);
    add(SAME, 80, 40, 40, 40);
    add(OTHER, 40, 41, 41, 20, 20);
    assertThat(runs()).containsExactly(4, 2, 1, 3, 1);
  }

  @Test
  void whatIsLeftOfACutRunIsARunToWhichMoreIsAdded() {
    add(ROUTE, 80, 80, 80, 80);
    batch.remove(3);
    assertThat(batch.add(80, ROUTE)).isEqualTo(1);
    assertThat(runs()).containsExactly(2);
  }

  @Test
  void whatOvertakesTheRestOfACutRunIsTheFirstOfItsRun() {
    add(ROUTE, 80, 80, 40);
    batch.remove(2);
    assertThat(batch.addBeforeLast(80, ROUTE)).isTrue();
    assertThat(batch.places).startsWith(0, 1);
    assertThat(runs()).containsExactly(2);
  }

  @Test
  void anotherHopLimitOrTrafficClassIsAnotherRun() {
    add(ROUTE, 80);
    add(new Route(ROUTE.destination(), 1, 64, 0), 80);
    add(new Route(ROUTE.destination(), 1, 63, 0), 80);
    assertThat(runs()).containsExactly(1, 1, 1);
  }

  @Test
  void whatGoesToAGroupGoesAlone() {
    add(Endpoint.routeTo(Gid.parse("239.1.1.1")), 80, 80);
    assertThat(runs()).containsExactly(1, 1);
  }

  @Test
  void aRunHasNoMoreSegmentsThanTheLinkTakes() {
    batch.mostSegments(1);
    add(ROUTE, 80, 80);
    assertThat(runs()).containsExactly(1, 1);
    batch.mostSegments(3);
    add(ROUTE, 80, 80, 80);
    assertThat(batch.endsFull()).isTrue();
    add(ROUTE, 80);
    assertThat(batch.endsFull()).isFalse();
    assertThat(runs()).containsExactly(3, 1);
  }

  @Test
  void aRunIsNoLongerThanADatagramCanBe() {
    for (int i = 0; i < 15; i++) {
      assertThat(batch.endsFull()).isFalse();
      assertThat(batch.add(4112, ROUTE)).isEqualTo(i);
    }
    assertThat(batch.endsFull()).isTrue();
    assertThat(batch.add(4112, ROUTE)).isZero();
    assertThat(runs()).containsExactly(15, 1);
  }

  /** Adds a datagram of this length, with its number, before the last one if that makes a run. */
  private boolean addBeforeLast(int number, int length, Route route) {
    batch.next().set(ValueLayout.JAVA_INT, 0, number);
    return batch.addBeforeLast(length, route);
  }

  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    while (!batch.isEmpty()) {
      numbers.add(batch.datagrams[0].get(ValueLayout.JAVA_INT, 0));
      batch.remove(1);
    }
    return numbers;
  }

  @Test
  void aLongerDatagramMakesARunIfItLeavesBeforeAShorterOneThatIsAlone() {
    batch.next().set(ValueLayout.JAVA_INT, 0, 1);
    add(ROUTE, 20);
    assertThat(addBeforeLast(2, 24, SAME)).isTrue();
    assertThat(batch.firstRun()).isEqualTo(2);
    assertThat(batch.last().get(ValueLayout.JAVA_INT, 0)).isEqualTo(1);
    batch.next().set(ValueLayout.JAVA_INT, 0, 3);
    add(ROUTE, 20);
    assertThat(batch.firstRun()).as("a run ends with its shorter datagram").isEqualTo(2);
    assertThat(numbers()).containsExactly(2, 1, 3);
  }

  @Test
  void noDatagramOvertakesWhereThatMakesNoRun() {
    assertThat(addBeforeLast(1, 24, ROUTE)).as("nothing waits").isFalse();
    add(ROUTE, 24);
    assertThat(addBeforeLast(2, 24, ROUTE)).as("of the same length").isFalse();
    assertThat(addBeforeLast(2, 25, OTHER)).as("to another destination").isFalse();
    add(ROUTE, 24);
    assertThat(addBeforeLast(3, 25, ROUTE)).as("the last one is not alone").isFalse();
    batch.mostSegments(1);
    add(OTHER, 20);
    assertThat(addBeforeLast(4, 24, OTHER)).as("the link takes no runs").isFalse();
    assertThat(runs()).containsExactly(2, 1);
  }

  @Test
  void whatIsLeftKeepsItsBytesAndTheNextSlotToo() {
    for (int i = 0; !batch.isFull(); i++) {
      batch.next().set(ValueLayout.JAVA_INT, 0, i);
      batch.add(i % 8 == 7 ? 4 : 8, ROUTE);
    }
    MemorySegment spare = batch.next();
    spare.set(ValueLayout.JAVA_INT, 0, 64);
    batch.remove(batch.firstRun());
    assertThat(batch.isFull()).isFalse();
    assertThat(batch.next().get(ValueLayout.JAVA_INT, 0)).isEqualTo(64);
    batch.add(8, ROUTE);
    for (int i = 8; !batch.isEmpty(); i++) {
      assertThat(batch.datagrams[0].get(ValueLayout.JAVA_INT, 0)).isEqualTo(i);
      batch.remove(1);
    }
  }
}
