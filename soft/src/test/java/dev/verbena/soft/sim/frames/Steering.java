package dev.verbena.soft.sim.frames;

import dev.verbena.verbs.FlowAttrType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The steering rules of one station, and who gets a frame by them (S9.3).
 *
 * @param <T> the receiver of frames
 */
public final class Steering<T> {
  private static final List<FlowAttrType> ORDER =
      List.of(FlowAttrType.NORMAL, FlowAttrType.MC_DEFAULT, FlowAttrType.ALL_DEFAULT);

  private final long station;
  private final List<Rule<T>> rules = new ArrayList<>();
  private long sent;

  /** No rules yet, at the station with this address. */
  public Steering(long station) {
    this.station = station;
  }

  /** The address of the station. */
  public long station() {
    return station;
  }

  /** Frames that this station has sent. */
  public long sent() {
    return sent;
  }

  /** Adds a rule. */
  public void add(Rule<T> rule) {
    rules.add(rule);
  }

  /** Removes a rule. */
  public void remove(Rule<T> rule) {
    rules.remove(rule);
  }

  /**
   * Lets a frame pass this station.
   *
   * @param own whether this station sends it
   * @param sender a receiver that sends it, to which a group does not send it back
   * @param taker takes each receiver that gets it
   */
  public void pass(Frame frame, boolean own, T sender, Consumer<T> taker) {
    if (own) {
      sent++;
    }
    for (Rule<T> rule : rules) {
      if (rule.type() == FlowAttrType.SNIFFER) {
        taker.accept(rule.target());
      }
    }
    boolean forStation = frame.dst() == station || frame.isForGroup();
    if (own && !forStation) {
      return;
    }
    for (Rule<T> rule : inOrder()) {
      if (rule.matches(frame, forStation)) {
        boolean excluded = own && frame.isForGroup() && rule.target().equals(sender);
        if (!rule.drops() && !excluded) {
          taker.accept(rule.target());
        }
        if (rule.traps()) {
          return;
        }
      }
    }
  }

  /** By type, priority and age; the sort keeps the oldest first. */
  private List<Rule<T>> inOrder() {
    return rules.stream()
        .filter(rule -> rule.type() != FlowAttrType.SNIFFER)
        .sorted(
            Comparator.<Rule<T>>comparingInt(rule -> ORDER.indexOf(rule.type()))
                .thenComparingInt(Rule::priority))
        .toList();
  }
}
