package dev.verbena.soft.engine.ether;

import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.link.EtherLink;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.frames.FlowRule;
import dev.verbena.soft.transport.frames.FlowTable;
import dev.verbena.soft.transport.frames.FrameOut;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.EthernetHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The Ethernet side of an open device: its address, its steering rules (S9.3), and the way of the
 * frames of RAW_PACKET queue pairs. A frame for the device's own address does not leave the device.
 * One for a group leaves it and also reaches its other queue pairs, but not the sending one.
 */
public final class EtherPort implements AutoCloseable {
  private final Tally tally;
  private final long mac;
  private final EtherWire wire;
  private final FlowTable<FrameTarget> flows;

  /**
   * Connects a device to an interface, or to a segment in memory.
   *
   * @param mac its address on the segment, 48 bits; an interface has its own
   * @param link the interface, which the port closes; null for the segment
   */
  public EtherPort(Engine engine, long mac, @Nullable EtherLink link, EtherSegment segment) {
    tally = engine.tally();
    this.mac = link == null ? mac : link.mac();
    flows = new FlowTable<>(this.mac);
    wire = link == null ? segment.join(this) : new EtherInterface(engine, link, this);
  }

  /** The address, 48 bits. */
  public long mac() {
    return mac;
  }

  /** Bytes of the longest frame, with VLAN tag and without check sequence. */
  public int maxFrame() {
    return wire.maxFrame();
  }

  /**
   * Adds a rule.
   *
   * @param attr its conditions, which have been checked
   * @param target the receiver of matching frames
   */
  public synchronized FlowRule<FrameTarget> addFlow(FlowAttr attr, FrameTarget target) {
    FlowRule<FrameTarget> rule = new FlowRule<>(attr, target);
    flows.add(rule);
    try {
      wire.listen(true, flows.overhears());
    } catch (RuntimeException e) {
      flows.remove(rule);
      throw e;
    }
    return rule;
  }

  /** Removes a rule. */
  public synchronized void removeFlow(FlowRule<FrameTarget> rule) {
    flows.remove(rule);
    wire.listen(!flows.isEmpty(), flows.overhears());
  }

  /** Where the frames of a queue pair go out. */
  public FrameOut out(QpRuntime sender) {
    FrameDispatch dispatch = new FrameDispatch();
    return new FrameOut() {
      @Override
      public int maxFrame() {
        return wire.maxFrame();
      }

      @Override
      public boolean send(MemorySegment frame, int length) {
        return EtherPort.this.send(frame, length, dispatch, sender);
      }
    };
  }

  private boolean send(MemorySegment frame, int length, FrameDispatch dispatch, QpRuntime sender) {
    dispatch.begin(frame, length);
    EthernetFrame view = dispatch.view();
    boolean own = view.dst() == mac;
    boolean group = EthernetHeader.isGroup(view.dst());
    if (!own && !wire.send(frame, length, dispatch)) {
      return false;
    }
    tally.count(Counter.FRAMES_SENT);
    flows.sent(dispatch.except(null));
    if (own || group) {
      flows.returned(view, dispatch.except(group ? sender : null));
      if (own) {
        count(dispatch.deliveries(), true);
      }
    }
    return true;
  }

  /** Handles a received frame. */
  void receive(FrameDispatch dispatch) {
    EthernetFrame view = dispatch.view();
    flows.received(view, dispatch.except(null));
    boolean station = view.dst() == mac || EthernetHeader.isGroup(view.dst());
    count(dispatch.deliveries(), station);
  }

  private void count(int deliveries, boolean station) {
    if (deliveries > 0) {
      tally.count(Counter.FRAMES_RECEIVED);
    } else if (station) {
      tally.count(Counter.DROPPED_NO_FLOW);
    }
  }

  /** Leaves the interface or the segment. Idempotent. */
  @Override
  public void close() {
    wire.close();
  }
}
