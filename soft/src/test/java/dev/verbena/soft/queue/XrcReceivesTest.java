package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.memory.Domain;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Receives of an XRC target on their own. */
class XrcReceivesTest {
  private final Map<Integer, XrcQueue> queues = new HashMap<>();
  private final XrcQueue small = add(5, 1);
  private final XrcQueue large = add(6, 4);
  private final XrcReceives receives = new XrcReceives(queues::get, 4);

  private XrcQueue add(int number, int maxSge) {
    SharedRecvQueue queue = new SharedRecvQueue(4, maxSge, Guard.NONE, () -> {});
    XrcQueue made = new XrcQueue(this, queue, CompletionRing.unused(), new Domain());
    queues.put(number, made);
    return made;
  }

  private static void post(XrcQueue into, long id) {
    RecvWqe wqe = into.queue().claim(0);
    wqe.begin(id);
    for (int i = 0; i < into.queue().maxSge(); i++) {
      wqe.data().add(1, id, 8);
    }
    into.queue().publish(1);
  }

  private long take() {
    RecvWqe wqe = receives.take();
    return wqe == null ? -1 : wqe.wrId();
  }

  @Test
  void eachRequestGetsAReceiveOfTheQueueThatItNames() {
    for (int round = 0; round < 20; round++) {
      post(small, round);
      post(large, 100 + round);
      assertThat(receives.select(6)).isTrue();
      assertThat(receives.isPosted()).isTrue();
      assertThat(take()).isEqualTo(100 + round);
      assertThat(receives.ring()).isSameAs(large.ring());
      assertThat(receives.domain()).isSameAs(large.domain());
      receives.release();
      assertThat(receives.select(5)).isTrue();
      assertThat(take()).isEqualTo(round);
      assertThat(receives.ring()).isSameAs(small.ring());
      receives.release();
      assertThat(receives.isPosted()).isFalse();
      assertThat(take()).isEqualTo(-1);
    }
  }

  @Test
  void theSameFewReceivesComeBackAllTheTime() {
    Set<RecvWqe> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    assertThat(receives.select(5)).isTrue();
    for (int round = 0; round < 20; round++) {
      assertThat(take()).as("none is posted").isEqualTo(-1);
      post(small, round);
      seen.add(receives.take());
      receives.release();
    }
    assertThat(seen).hasSizeLessThanOrEqualTo(small.queue().capacity() + 1);
  }

  @Test
  void aQueueThatIsNotThereCannotBeSelected() {
    assertThat(receives.select(7)).isFalse();
    assertThat(receives.isPosted()).isFalse();
    assertThat(take()).isEqualTo(-1);
    assertThat(receives.owned()).isNull();
    assertThat(receives.keyDomain(7)).isNull();
    assertThat(receives.keyDomain(6)).isSameAs(large.domain());
  }

  private String dump() {
    StringBuilder text = new StringBuilder();
    receives.dump(text);
    return text.toString();
  }

  @Test
  void aDumpNamesTheQueueThatTheLastRequestHasNamedEvenIfThereIsNone() {
    assertThat(dump()).endsWith("none has named one yet");
    post(small, 1);
    assertThat(receives.select(5)).isTrue();
    assertThat(dump()).contains("0x5, which the last request has named");
    assertThat(receives.select(0x123)).isFalse();
    assertThat(dump()).endsWith("the last has named 0x123, which does not exist");
  }

  @Test
  void aMessageUnderWayKeepsItsQueue() {
    post(small, 1);
    post(large, 2);
    assertThat(receives.select(5)).isTrue();
    assertThat(take()).isEqualTo(1);
    assertThat(receives.select(6)).isFalse();
    assertThat(receives.select(5)).isTrue();
    assertThat(Objects.requireNonNull(receives.owned()).wrId()).isEqualTo(1);
    assertThat(receives.ring()).isSameAs(small.ring());
  }

  @Test
  void whatWasTakenFromAQueueThatHasEndedIsNobodys() {
    post(small, 1);
    assertThat(receives.select(5)).isTrue();
    assertThat(take()).isEqualTo(1);
    queues.remove(5);
    assertThat(receives.owned()).isNull();
    assertThat(receives.select(5)).isFalse();
    receives.reset();
    post(large, 2);
    assertThat(receives.select(6)).isTrue();
    assertThat(take()).isEqualTo(2);
  }

  @Test
  void whatIsNotUsedIsTheFirstAgainInItsQueue() {
    post(small, 1);
    post(small, 2);
    assertThat(receives.select(5)).isTrue();
    assertThat(take()).isEqualTo(1);
    receives.reset();
    assertThat(receives.owned()).isNull();
    assertThat(small.queue().size()).isEqualTo(2);
    assertThat(take()).isEqualTo(1);
  }

  @Test
  void memoryOfAnyDomainMayBeTouched() {
    assertThat(receives.mayTouch(new Domain())).isTrue();
    assertThat(receives.isShared()).isTrue();
  }
}
