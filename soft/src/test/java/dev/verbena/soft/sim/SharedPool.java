package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * A shared receive queue with its model. Queue pairs take its receives first in, first out; each
 * takes the next when it has used one (S3.4.4).
 */
final class SharedPool {
  private final Stage stage;
  private final Dice dice;
  private final SharedReceiveQueue srq;
  private final int depth;
  private final MemoryRegion inbox;
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private final TreeMap<Long, Integer> slots = new TreeMap<>();
  private final List<SharedReceives> members = new ArrayList<>();
  private long next;
  private long newestTaken = -1;
  private int limit;
  private int fewest;
  private int reached;

  /**
   * A new queue.
   *
   * @param attr which; of 4 to 15 receives
   */
  SharedPool(Stage stage, Side side, SrqInitAttr attr, Dice dice) {
    this.stage = stage;
    this.dice = dice;
    attr.maxWr(4 + dice.below(12)).maxSge(2);
    srq = side.pd().createSrq(attr);
    depth = attr.maxWr();
    side.add(this);
    inbox = side.newLanding(Place.BYTES * depth);
    for (int i = 0; i < depth; i++) {
      freeSlots.add(i);
    }
  }

  SharedReceiveQueue srq() {
    return srq;
  }

  void join(SharedReceives member) {
    members.add(member);
  }

  /** Posts one more if there is room. */
  void post() {
    // The model must learn what was taken before more is posted.
    stage.poll();
    if (!freeSlots.isEmpty()) {
      int slot = freeSlots.remove();
      Place place = Place.of(inbox, next, slot);
      srq.postRecv(place.toRecvWr(inbox));
      slots.put(next++, slot);
    }
  }

  /** Posts as many as all queue pairs need together, and one more for each that has taken one. */
  void ensure() {
    int needed = members.size();
    for (SharedReceives member : members) {
      needed += member.needed();
    }
    while (slots.size() < needed && !freeSlots.isEmpty()) {
      post();
    }
  }

  /** Arms the limit event at random. */
  void armLimit() {
    stage.poll();
    limit = 1 + dice.below(depth);
    fewest = slots.size();
    srq.modifyLimit(limit);
  }

  /** The receive of a completion. */
  Place take(SharedReceives member, WorkCompletion wc) {
    long number = Place.number(wc.wrId());
    Integer slot = slots.remove(number);
    if (slot == null) {
      throw new AssertionError("no receive for " + wc);
    }
    freeSlots.add(slot);
    boolean putBack = members.stream().anyMatch(SharedReceives::mayHoldOne);
    member.took(number, putBack);
    newestTaken = Math.max(newestTaken, number);
    fewest = Math.min(fewest, slots.size());
    assertThat(slots.headMap(newestTaken).size())
        .as("older receives that other queue pairs must have taken, after %s", wc)
        .isLessThan(members.size());
    return Place.of(inbox, number, slot, putBack);
  }

  /** Takes an event that concerns this queue or a queue pair that uses it. */
  void take(AsyncEvent event) {
    if (event.eventType() == EventType.SRQ_LIMIT_REACHED && srq.equals(event.srq())) {
      assertThat(limit).as("armed limit").isPositive();
      assertThat(srq.query().srqLimit()).as("limit behind its event").isZero();
      reached = limit;
      limit = 0;
    }
    for (SharedReceives member : members) {
      member.take(event);
    }
  }

  /**
   * Checks the last event, when all completions but no later events were taken. (Polling makes
   * progress, so the event may have come together with completions.)
   */
  void checkLastEvent() {
    if (reached > 0) {
      assertThat(fewest - members.size()).as("receives since the limit").isLessThan(reached);
      reached = 0;
    }
  }

  /** All events were taken. */
  void checkEvents() {
    assertThat(slots.size()).as("receives without limit event").isGreaterThanOrEqualTo(limit);
  }

  /** Checks, with nothing under way, that the queue holds exactly what the model says. */
  void checkAtRest() {
    int room = 0;
    try {
      while (true) {
        srq.postRecv(new RecvWr());
        room++;
      }
    } catch (WorkRequestException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
    }
    int held = (int) members.stream().filter(SharedReceives::mayHoldOne).count();
    assertThat(room)
        .as("receives that were missing")
        .isBetween(depth - slots.size(), depth - slots.size() + held);
  }
}
