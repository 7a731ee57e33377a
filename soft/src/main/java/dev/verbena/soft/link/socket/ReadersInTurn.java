package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Receiver;
import dev.verbena.wire.Address;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sockets that a link receives from: the device's own, and one for each multicast group. They
 * are read round-robin, so none starves. For one thread at a time.
 */
final class ReadersInTurn<R extends DatagramReader> {
  private record Group<R>(Address address, R reader) {}

  private final R own;
  private final List<Group<R>> groups = new ArrayList<>();
  private int first;

  /**
   * @param own of the device's address; stays until the end
   */
  ReadersInTurn(R own) {
    this.own = own;
  }

  /**
   * Hands over datagrams until there were so many; returns how many. What came as one is handed
   * over whole. Allocates nothing.
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

  /** Takes the socket of a group out, which is to be closed; null if there is none. */
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
