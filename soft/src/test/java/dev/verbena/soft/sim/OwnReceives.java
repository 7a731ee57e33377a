package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;

/** The receive queue of a queue pair: first in, first out. */
final class OwnReceives implements Receives {
  private final QueuePair qp;
  private final int depth;
  private final MemoryRegion inbox;
  private final Deque<Place> posted = new ArrayDeque<>();
  private long next;
  private boolean usable;

  OwnReceives(QueuePair qp, Side side, int depth) {
    this.qp = qp;
    this.depth = depth;
    inbox = side.newLanding(Place.BYTES * depth);
  }

  @Override
  public void post() {
    if (usable && posted.size() < depth) {
      Place place = Place.of(inbox, next, (int) (next % depth));
      next++;
      qp.postRecv(place.toRecvWr(inbox));
      posted.add(place);
    }
  }

  /** How many are posted, as far as is known. */
  int posted() {
    return posted.size();
  }

  @Override
  public void armLimit() {}

  @Override
  public void ensure(int messages) {
    while (usable && posted.size() < Math.min(messages, depth)) {
      post();
    }
  }

  @Override
  public Place take(WorkCompletion wc) {
    Place place = posted.poll();
    assertThat(place).as("a receive for %s", wc).isNotNull();
    assertThat(wc.wrId()).as("order of receives").isEqualTo(place.wrId());
    return place;
  }

  @Override
  public void forget() {
    posted.clear();
    usable = false;
  }

  @Override
  public void restart() {
    posted.clear();
    usable = true;
  }

  @Override
  public void checkFlushed() {
    assertThat(posted).as("receives that were not flushed").isEmpty();
  }

  @Override
  public boolean areShared() {
    return false;
  }
}
