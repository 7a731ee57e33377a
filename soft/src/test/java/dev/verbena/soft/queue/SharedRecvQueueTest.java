package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.memory.Domain;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A shared receive queue on its own. */
class SharedRecvQueueTest {
  private int reached;
  private final SharedRecvQueue queue = new SharedRecvQueue(4, 2, Guard.NONE, () -> reached++);
  private final CompletionRing ring =
      new CompletionRing(
          4,
          Guard.NONE,
          Guard.NONE,
          CompletionRing.Options.usual(() -> 0),
          CompletionRing.Listener.NONE);
  private final Domain domain = new Domain();
  private final SharedReceives one = new SharedReceives(queue, ring, domain, new Domain());
  private final SharedReceives other = new SharedReceives(queue, ring, domain, new Domain());

  private void post(long id) {
    assertThat(queue.free()).isPositive();
    queue.claim(0).begin(id);
    queue.publish(1);
  }

  private static long take(ReceiveSource source) {
    RecvWqe wqe = source.take();
    return wqe == null ? -1 : wqe.wrId();
  }

  @Test
  void takersGetReceivesInOrderAndKeepThemUntilTheyReleaseThem() {
    for (long id = 1; id <= 4; id++) {
      post(id);
    }
    assertThat(queue.free()).isZero();
    assertThat(take(one)).isEqualTo(1);
    assertThat(take(other)).isEqualTo(2);
    assertThat(take(one)).isEqualTo(1);
    assertThat(Objects.requireNonNull(one.owned()).wrId()).isEqualTo(1);
    one.release();
    assertThat(one.owned()).isNull();
    assertThat(take(one)).isEqualTo(3);
    other.release();
    assertThat(take(other)).isEqualTo(4);
    one.release();
    assertThat(take(one)).isEqualTo(-1);
    assertThat(one.isPosted()).isFalse();
    assertThat(other.isPosted()).isTrue();
    assertThat(queue.free()).isEqualTo(4);
  }

  @Test
  void receivesThatArePublishedTogetherAreTakenInTheOrderOfTheirClaims() {
    post(1);
    queue.claim(0).begin(2);
    queue.claim(1).begin(3);
    queue.claim(2).begin(4);
    queue.publish(3);
    for (long id = 1; id <= 4; id++) {
      assertThat(take(one)).isEqualTo(id);
      one.release();
    }
  }

  @Test
  void aReceiveThatWasTakenIsNotOverwrittenByTheNextInItsPlace() {
    for (long id = 1; id <= 100; id++) {
      post(id);
      assertThat(take(one)).isEqualTo(id);
      for (long next = 1; next <= 4; next++) {
        post(1000 + next);
      }
      assertThat(Objects.requireNonNull(one.owned()).wrId()).isEqualTo(id);
      for (long next = 1; next <= 4; next++) {
        assertThat(take(other)).isEqualTo(1000 + next);
        other.release();
      }
      assertThat(take(one)).isEqualTo(id);
      one.release();
    }
  }

  @Test
  void whatOneTakerDoesNotUseIsTheFirstAgain() {
    post(1);
    post(2);
    assertThat(take(one)).isEqualTo(1);
    one.putBack();
    one.reset();
    assertThat(one.owned()).isNull();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(take(other)).isEqualTo(1);
    assertThat(take(one)).isEqualTo(2);
    one.reset();
    other.release();
    assertThat(take(other)).isEqualTo(2);
  }

  @Test
  void whatIsPutBackFitsThoughThePlaceIsFilled() {
    for (long id = 1; id <= 4; id++) {
      post(id);
    }
    take(one);
    take(other);
    post(5);
    post(6);
    other.putBack();
    one.putBack();
    assertThat(queue.size()).isEqualTo(6);
    assertThat(queue.capacity()).isEqualTo(4);
    assertThat(queue.free()).isZero();
    for (long id = 1; id <= 6; id++) {
      assertThat(take(one)).isEqualTo(id);
      one.release();
    }
    assertThat(take(one)).isEqualTo(-1);
    assertThat(queue.free()).isEqualTo(4);
    for (long id = 11; id <= 14; id++) {
      post(id);
    }
    assertThat(queue.free()).isZero();
    for (long id = 11; id <= 14; id++) {
      assertThat(take(other)).isEqualTo(id);
      other.release();
    }
  }

  @Test
  void whatWasPutBackIsNotOverwrittenByTheNextThatIsTaken() {
    for (long id = 1; id <= 50; id++) {
      post(id);
      assertThat(take(one)).isEqualTo(id);
      one.putBack();
      post(1000 + id);
      assertThat(take(one)).isEqualTo(id);
      assertThat(take(other)).isEqualTo(1000 + id);
      assertThat(Objects.requireNonNull(one.owned()).wrId()).isEqualTo(id);
      one.release();
      other.release();
    }
  }

  @Test
  void theLimitIsToldOnceWhenFewerRemain() {
    for (long id = 1; id <= 4; id++) {
      post(id);
    }
    queue.arm(3);
    assertThat(queue.limit()).isEqualTo(3);
    take(one);
    assertThat(reached).isZero();
    take(other);
    assertThat(reached).isEqualTo(1);
    assertThat(queue.limit()).isZero();
    one.release();
    take(one);
    assertThat(reached).isEqualTo(1);
  }

  @Test
  void aLimitAboveWhatIsThereIsReachedAtOnce() {
    post(1);
    queue.arm(1);
    assertThat(reached).isZero();
    queue.arm(2);
    assertThat(reached).isEqualTo(1);
    assertThat(queue.limit()).isZero();
  }

  @Test
  void resizingKeepsTheReceivesAndTheirOrder() {
    for (long id = 1; id <= 3; id++) {
      post(id);
    }
    assertThat(take(one)).isEqualTo(1);
    queue.resize(9);
    assertThat(queue.free()).isEqualTo(7);
    for (long id = 4; id <= 10; id++) {
      post(id);
    }
    assertThat(queue.free()).isZero();
    for (long id = 2; id <= 8; id++) {
      assertThat(take(other)).isEqualTo(id);
      other.release();
    }
    queue.resize(2);
    assertThat(queue.free()).isZero();
    assertThat(take(other)).isEqualTo(9);
    assertThat(take(one)).isEqualTo(1);
    other.release();
    assertThat(take(other)).isEqualTo(10);
  }

  @Test
  void onlyMemoryOfItsDomainIsTouched() {
    assertThat(one.mayTouch(domain)).isTrue();
    assertThat(one.mayTouch(new Domain())).isFalse();
    assertThat(one.domain()).isSameAs(domain);
    assertThat(one.ring()).isSameAs(ring);
    assertThat(one.isShared()).isTrue();
  }
}
