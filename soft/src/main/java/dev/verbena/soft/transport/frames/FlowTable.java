package dev.verbena.soft.transport.frames;

import dev.verbena.verbs.FlowAttrType;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.EthernetHeader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The steering rules of a port, and the receivers that they select for a frame (S9.3). Steering
 * allocates nothing and uses one consistent state of the rules; one thread at a time may add and
 * remove rules.
 *
 * @param <T> the receiver of frames
 */
public final class FlowTable<T> {
  /**
   * Takes steered frames.
   *
   * @param <T> the receiver of frames
   */
  public interface Sink<T> {
    /** Takes a frame for the target of this rule. */
    void steered(FlowRule<T> rule);
  }

  /** NORMAL rules before the default ones, then by priority; the sort keeps the oldest first. */
  private final Comparator<FlowRule<T>> order =
      Comparator.<FlowRule<T>>comparingInt(rule -> rank(rule.type()))
          .thenComparingInt(FlowRule::priority);

  private final long station;
  private volatile State<T> state = new State<>(List.of(), List.of());

  /** One state of the table. */
  private record State<T>(List<FlowRule<T>> sniffers, List<FlowRule<T>> others) {}

  /**
   * A table without rules.
   *
   * @param station the address of this station, 48 bits
   */
  public FlowTable(long station) {
    this.station = station;
  }

  private static int rank(FlowAttrType type) {
    return switch (type) {
      case SNIFFER, NORMAL -> 0;
      case MC_DEFAULT -> 1;
      case ALL_DEFAULT -> 2;
    };
  }

  /** Adds a rule. */
  public void add(FlowRule<T> rule) {
    State<T> now = state;
    state =
        rule.type() == FlowAttrType.SNIFFER
            ? new State<>(with(now.sniffers(), rule), now.others())
            : new State<>(now.sniffers(), with(now.others(), rule));
  }

  private List<FlowRule<T>> with(List<FlowRule<T>> rules, FlowRule<T> rule) {
    List<FlowRule<T>> more = new ArrayList<>(rules);
    more.add(rule);
    more.sort(order);
    return List.copyOf(more);
  }

  /** Removes a rule. */
  public void remove(FlowRule<T> rule) {
    State<T> now = state;
    state = new State<>(without(now.sniffers(), rule), without(now.others(), rule));
  }

  private List<FlowRule<T>> without(List<FlowRule<T>> rules, FlowRule<T> rule) {
    return rules.stream().filter(each -> each != rule).toList();
  }

  /** Whether there is no rule. */
  public boolean isEmpty() {
    return state.sniffers().isEmpty() && state.others().isEmpty();
  }

  /** Whether some rule wants frames for another station. */
  public boolean overhears() {
    return !state.sniffers().isEmpty()
        || state.others().stream().anyMatch(rule -> rule.overhears(station));
  }

  /** Handles a frame that this station sends: every sniffer gets a copy. */
  public void sent(Sink<T> sink) {
    deliver(state.sniffers(), sink);
  }

  /** Handles a received frame: sniffers get a copy, and then the rules decide. */
  public void received(EthernetFrame frame, Sink<T> sink) {
    State<T> now = state;
    deliver(now.sniffers(), sink);
    steer(now.others(), frame, sink);
  }

  /** Handles a frame from this station to itself, which sniffers saw when it was sent. */
  public void returned(EthernetFrame frame, Sink<T> sink) {
    steer(state.others(), frame, sink);
  }

  private static <T> void deliver(List<FlowRule<T>> rules, Sink<T> sink) {
    for (int i = 0; i < rules.size(); i++) {
      sink.steered(rules.get(i));
    }
  }

  private void steer(List<FlowRule<T>> rules, EthernetFrame frame, Sink<T> sink) {
    boolean forStation = frame.dst() == station || EthernetHeader.isGroup(frame.dst());
    for (int i = 0; i < rules.size(); i++) {
      FlowRule<T> rule = rules.get(i);
      if (rule.matches(frame, forStation)) {
        if (!rule.drops()) {
          sink.steered(rule);
        }
        if (rule.traps()) {
          return;
        }
      }
    }
  }
}
