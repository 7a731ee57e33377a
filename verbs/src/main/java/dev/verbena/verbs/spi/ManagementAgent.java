package dev.verbena.verbs.spi;

import dev.verbena.verbs.Iba;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Answers the management datagrams (MADs) that come to queue pair 1 of a {@link Subnet}'s manager,
 * as a subnet administrator does. Found by {@link java.util.ServiceLoader}, as {@link
 * dev.verbena.verbs.VerbsProvider} is; the first one that is found answers. Without any, ports have
 * an sm_lid of 0 and are active all the same.
 *
 * <p>A subnet makes one object of it, and calls that by one thread at a time. Nothing that a MAD
 * contains is checked beforehand, but that it has {@value Iba#MAD_LENGTH} bytes. What the agent
 * throws is logged, and the MAD is not answered. What it keeps about a sender must be bounded:
 * senders end without a word.
 */
public interface ManagementAgent {
  /**
   * Takes a MAD.
   *
   * @param subnet where it came from
   * @param source who has sent it
   * @param mad its {@value Iba#MAD_LENGTH} bytes, valid during the call only
   * @param answer takes each answer, of {@value Iba#MAD_LENGTH} bytes, and sends a copy to the
   *     source; during the call only. None need be given, and those that the subnet has no room for
   *     are lost, as on a network.
   */
  void receive(Subnet subnet, MadSource source, MemorySegment mad, Consumer<MemorySegment> answer);

  /** A port has left the subnet: what the agent keeps for it may go. */
  default void portLeft(Subnet subnet, long portGuid) {}
}
