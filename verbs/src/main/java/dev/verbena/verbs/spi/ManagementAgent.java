package dev.verbena.verbs.spi;

import dev.verbena.verbs.Iba;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Answers the management datagrams (MADs) sent to queue pair 1 of a {@link Subnet}'s manager, as a
 * subnet administrator does. Agents are found by {@link java.util.ServiceLoader}, like a {@link
 * dev.verbena.verbs.VerbsProvider}; the first one found is used. Without one, ports have an sm_lid
 * of 0 but are active all the same.
 *
 * <p>A subnet creates one agent, and only one thread at a time calls it. The contents of a MAD are
 * not checked beforehand, except that it has {@value Iba#MAD_LENGTH} bytes. If the agent throws,
 * the exception is logged and the MAD is not answered. An agent must bound what it stores about
 * senders, because they may disappear without notice.
 */
public interface ManagementAgent {
  /**
   * Receives a MAD.
   *
   * @param subnet the subnet it came from
   * @param source its sender
   * @param mad its {@value Iba#MAD_LENGTH} bytes, valid during the call only
   * @param answer accepts answers of {@value Iba#MAD_LENGTH} bytes each, and sends a copy to the
   *     source; valid during the call only. There may be no answer at all, and answers for which
   *     the subnet has no room are lost, as on a network.
   */
  void receive(Subnet subnet, MadSource source, MemorySegment mad, Consumer<MemorySegment> answer);

  /** Called when a port has left the subnet: the agent may discard what it stores for it. */
  default void portLeft(Subnet subnet, long portGuid) {}
}
