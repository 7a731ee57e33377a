package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.packets.PacketOut;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** One direction of the scripted wire: keeps what was sent until the test delivers it. */
final class ScriptedOut implements PacketOut {
  private static final int BUFFER = 8192;

  /** The most bytes in a long packet; set it before the wire is used. */
  int longPayload;

  /** Packets that leave together; set it before the wire is used. */
  int run = 1;

  /** Bytes that the peer is told of; set it before the wire is used. */
  int receiveBuffer;

  /** Packets sent but not delivered; the test may change this list. */
  final List<Packet> flight = new ArrayList<>();

  /** All packets ever sent. */
  final List<Packet> log = new ArrayList<>();

  private final MemorySegment buffer = MemorySegment.ofArray(new byte[BUFFER]);
  private Function<Packet, List<Packet>> fault = List::of;
  private int most = 64;
  private int refusals;
  private int takes = Integer.MAX_VALUE;
  private boolean isOpen;

  /** Sets a function that replaces each packet. */
  void fault(Function<Packet, List<Packet>> what) {
    fault = what;
  }

  /** Loses the next packet that matches. */
  void loseOnce(Predicate<Packet> which) {
    lose(1, which);
  }

  /** Loses the next packets that match. */
  void lose(int times, Predicate<Packet> which) {
    Function<Packet, List<Packet>> before = fault;
    int[] left = {times};
    fault =
        packet -> {
          if (left[0] > 0 && which.test(packet)) {
            left[0]--;
            return List.of();
          }
          return before.apply(packet);
        };
  }

  void limit(int psns) {
    most = psns;
  }

  /** Accepts only this many more packets, then is not ready. */
  void takes(int packets) {
    takes = packets;
  }

  /** Says that it is ready, and then refuses this many packets. */
  void refuse(int packets) {
    refusals = packets;
  }

  @Override
  public boolean isReady() {
    return takes > 0;
  }

  @Override
  public int mostInFlight(int payload) {
    return most;
  }

  @Override
  public int run(int mtu) {
    return run;
  }

  @Override
  public int longPayload() {
    return longPayload;
  }

  @Override
  public int mostInFlightOf(int charge, int largest) {
    return most;
  }

  @Override
  public int receiveBuffer() {
    return receiveBuffer;
  }

  @Override
  public int mostAnswersInFlight(int mtu) {
    return most;
  }

  @Override
  public MemorySegment begin() {
    assertThat(isOpen).as("the packet before was neither committed nor abandoned").isFalse();
    isOpen = true;
    buffer.fill((byte) 0xee);
    return buffer;
  }

  @Override
  public int commit(int length) {
    assertThat(isOpen).as("there is a packet").isTrue();
    isOpen = false;
    if (refusals > 0) {
      refusals--;
      return 0;
    }
    takes--;
    Packet packet = Packet.copy(buffer, length);
    log.add(packet);
    flight.addAll(fault.apply(packet));
    return length;
  }

  @Override
  public void abandon() {
    assertThat(isOpen).as("there is a packet").isTrue();
    isOpen = false;
  }
}
