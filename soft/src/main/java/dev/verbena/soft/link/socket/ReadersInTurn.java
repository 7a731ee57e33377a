package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Receiver;
import dev.verbena.wire.Address;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of a link for receiving: the device's own, and one for each multicast group. Reads
 * them round-robin, so none starves. For one thread at a time.
 */
final class ReadersInTurn<R extends DatagramReader> {
  private record Group<R>(Address address, R reader) {}

  private final R own;
  private final List<Group<R>> groups = new ArrayList<>();
  private int first;

  /**
   * @param own the socket of the device's address, which stays until the end
   */
  ReadersInTurn(R own) {
    this.own = own;
  }

  /**
   * Passes datagrams to the receiver until this number is reached; returns the number passed. A run
   * that came as one is passed whole. Allocates nothing.
   */
  int read(Receiver receiver, int most, long now) {
    int sockets = groups.size() + 1;
    first = first + 1 < sockets ? first + 1 : 0;
    int count = 0;
    int next = first;
    for (int i = 0; i < sockets && count < most; i++) {
      R reader = next < groups.size() ? groups.get(next).reader() : own;
      count += reader.read(receiver, most - count, now);
      next = next + 1 < sockets ? next + 1 : 0;
    }
    return count;
  }

  /** Adds the socket of a group. */
  void add(Address group, R reader) {
    groups.add(new Group<>(group, reader));
  }

  /** Removes the socket of a group, for the caller to close; null if there is none. */
  @Nullable R remove(Address address) {
    for (int i = 0; i < groups.size(); i++) {
      Group<R> group = groups.get(i);
      if (group.address().equals(address)) {
        groups.remove(i);
        return group.reader();
      }
    }
    return null;
  }

  /** The sockets of the groups. */
  List<R> ofGroups() {
    return groups.stream().map(Group::reader).toList();
  }

  /** Closes all sockets. */
  void close() {
    groups.forEach(group -> group.reader().close());
    own.close();
  }
}
