package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.NativeAccess;
import dev.verbena.soft.link.Parking;
import dev.verbena.soft.link.PromptThread;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.shm.Recipient.Fate;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets through memory that processes of one user share. Each device has an inbox with a
 * separate ring for each sender. A datagram is copied twice. A system call wakes a receiver that
 * sleeps; every 10 ms another one checks that the receiver lives; and a datagram to a group lists a
 * folder. A device may have it alone, or {@link #beside} the one to other computers. See
 * docs/internals/shm.md.
 */
public final class SharedMemoryLink implements Link {
  private static final String FUNCTION = "openDevice";
  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.link");

  /** A part of a ring, which also carries answers and retransmissions. */
  private static final int MOST_IN_FLIGHT = InboxLayout.CELLS / 4;

  /** The most recipients that are remembered; those without an inbox are forgotten first. */
  private static final int MOST_RECIPIENTS = 1024;

  /** How long a wait polls for datagrams before it sleeps, if there are enough processors. */
  private static final long LOOK_NANOS =
      Runtime.getRuntime().availableProcessors() >= 4 ? 20_000 : 0;

  /** The time after which a sender looks for room again, because no reader wakes it. */
  private static final long RETRY_NANOS = 50_000;

  private final Address address;
  private final LinkCounters counters;
  private final boolean icrc;
  private final Rendezvous rendezvous;
  private final OwnInbox inbox;
  private final SharedMemoryExports exports;

  /** What the owner waits for at the same time; null if for nothing else. */
  private final @Nullable Link network;

  private final Map<Address, Recipient> recipients = new HashMap<>();
  private final Set<Fate> reported = EnumSet.noneOf(Fate.class);
  private final Set<Address> groups = ConcurrentHashMap.newKeySet();
  private final Parking parking = new Parking();
  private volatile boolean refused;
  private volatile boolean closed;

  // For the waiting thread.
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment timeout = arena.allocate(2 * Long.BYTES, Long.BYTES);
  private boolean prompt;
  private boolean mailWhileLooking;

  private SharedMemoryLink(
      Address address,
      LinkCounters counters,
      boolean icrc,
      Rendezvous rendezvous,
      OwnInbox inbox,
      @Nullable Link network) {
    this.address = address;
    this.counters = counters;
    this.icrc = icrc;
    this.rendezvous = rendezvous;
    this.inbox = inbox;
    this.network = network;
    exports = new SharedMemoryExports(rendezvous, inbox.exports(rendezvous));
  }

  /**
   * Opens a link for the processes of this user.
   *
   * @param icrc whether sent packets have an ICRC, which they need where something may change
   *     packets
   * @throws VerbsException EADDRINUSE if a device of this user has the address, EACCES if the
   *     folder in /dev/shm is not available, EOPNOTSUPP where native calls are not available
   */
  public static SharedMemoryLink open(Address address, LinkCounters counters, boolean icrc) {
    requireNativeAccess();
    return open(Rendezvous.ofUser(), address, counters, icrc);
  }

  /**
   * Opens a link for those processes of this user that are on this network as well. Its owner waits
   * for both links by {@link #await} of this one, and closes both.
   *
   * @param network the link to all others, with the address of this one
   * @throws VerbsException as above, and EOPNOTSUPP if that link has no {@link Link#bell}
   */
  public static SharedMemoryLink beside(Link network, LinkCounters counters) {
    requireNativeAccess();
    int bell = network.bell();
    if (bell == Link.NO_BELL || Bell.inode(Bell.OWN_DESCRIPTORS, bell) == 0) {
      throw new VerbsException(
          FUNCTION, Errno.EOPNOTSUPP, "no other process can wake a device with this UDP link");
    }
    if (network.address().isLinkLocal()) {
      throw new VerbsException(
          FUNCTION, Errno.EOPNOTSUPP, "a link-local address does not say which device is meant");
    }
    return open(Rendezvous.ofNetwork(), network.address(), counters, /* icrc= */ false, network);
  }

  private static void requireNativeAccess() {
    if (!NativeAccess.obstacle().isEmpty()) {
      throw new VerbsException(
          FUNCTION,
          Errno.EOPNOTSUPP,
          "memory is shared by native calls: " + NativeAccess.obstacle());
    }
  }

  static SharedMemoryLink open(
      Rendezvous rendezvous, Address address, LinkCounters counters, boolean icrc) {
    return open(rendezvous, address, counters, icrc, null);
  }

  private static SharedMemoryLink open(
      Rendezvous rendezvous,
      Address address,
      LinkCounters counters,
      boolean icrc,
      @Nullable Link network) {
    OwnInbox inbox = OwnInbox.make(address, network == null ? Link.NO_BELL : network.bell());
    try {
      SharedMemoryLink made =
          new SharedMemoryLink(address, counters, icrc, rendezvous, inbox, network);
      if (!rendezvous.publish(address, inbox.fd())) {
        throw new VerbsException(
            FUNCTION,
            Errno.EADDRINUSE,
            "address " + address + " has a device with shared memory, maybe of another process");
      }
      return made;
    } catch (IOException e) {
      inbox.close();
      throw new VerbsException(
          FUNCTION, Errno.EACCES, "address " + address + " cannot be made known: " + e, e);
    } catch (RuntimeException | Error e) {
      inbox.close();
      throw e;
    }
  }

  @Override
  public boolean needsIcrc() {
    return icrc;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    if (length > InboxLayout.MAX_DATAGRAM) {
      throw new IllegalArgumentException(
          "send: datagram of " + length + " bytes, this link takes " + InboxLayout.MAX_DATAGRAM);
    }
    if (closed) {
      return true;
    }
    if (route.isMulticast()) {
      for (Address member : rendezvous.members(route.destination())) {
        sendToMember(member, datagram, (int) length, route, now);
      }
      return true;
    }
    Fate fate = offer(route.destination(), datagram, (int) length, route, now);
    if (fate == Fate.REFUSED) {
      counters.add(Counter.SEND_BLOCKED, 1);
      refused = true;
      return false;
    }
    if (fate.isLost()) {
      lost(route.destination(), fate);
    }
    return true;
  }

  /** Others must not wait for a member with a full ring. */
  private void sendToMember(
      Address member, MemorySegment datagram, int length, Route route, long now) {
    Fate fate = offer(member, datagram, length, route, now);
    if (fate == Fate.NO_INBOX && rendezvous.forget(route.destination(), member)) {
      recipients.remove(member);
    } else if (fate != Fate.SENT) {
      lost(member, fate == Fate.REFUSED ? Fate.TAKES_NOTHING : fate);
    }
  }

  private Fate offer(Address to, MemorySegment datagram, int length, Route route, long now) {
    int marks = icrc ? InboxLayout.HAS_ICRC : 0;
    return recipient(to).send(datagram, length, route, marks, now);
  }

  private void lost(Address to, Fate fate) {
    counters.add(Counter.SEND_LOST, 1);
    if (reported.add(fate)) {
      LOG.log(
          Level.WARNING,
          "send from "
              + address
              + " to "
              + to
              + ": a packet is lost: "
              + fate.reason()
              + "; repeats are counted as send_lost");
    }
  }

  private Recipient recipient(Address to) {
    Recipient known = recipients.get(to);
    if (known != null) {
      return known;
    }
    if (recipients.size() == MOST_RECIPIENTS) {
      recipients.values().removeIf(recipient -> !recipient.isOpen());
    }
    if (recipients.size() == MOST_RECIPIENTS) {
      closeRecipients();
    }
    Recipient made = new Recipient(rendezvous, to, address);
    recipients.put(to, made);
    return made;
  }

  private void closeRecipients() {
    recipients.values().forEach(Recipient::close);
    recipients.clear();
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    return closed ? 0 : inbox.receive(receiver, counters, most, now);
  }

  @Override
  public void join(Address group) {
    if (group.isIpv4() != address.isIpv4()) {
      throw new VerbsException(
          "attachMcast",
          Errno.EAFNOSUPPORT,
          "group " + group + " has another IP version than " + address);
    }
    try {
      rendezvous.join(group, address);
      groups.add(group);
    } catch (IOException e) {
      throw new VerbsException(
          "attachMcast", Errno.EACCES, "group " + group + " cannot be joined: " + e, e);
    }
  }

  @Override
  public void leave(Address group) {
    if (groups.remove(group)) {
      try {
        rendezvous.leave(group, address);
      } catch (IOException e) {
        throw new VerbsException(
            "detachMcast", Errno.EACCES, "group " + group + " cannot be left: " + e, e);
      }
    }
  }

  @Override
  public int maxDatagram() {
    return InboxLayout.CELL_DATA;
  }

  /** Where packets are looked at or may be changed, each is to be one. */
  @Override
  public int longPayload() {
    return icrc ? 0 : InboxLayout.LONG_PAYLOAD;
  }

  /** Where packets are looked at or may be changed, each message is to be packets. */
  @Override
  public @Nullable Exports exports() {
    return icrc ? null : exports;
  }

  @Override
  public int mostInFlight(int payload) {
    return MOST_IN_FLIGHT;
  }

  /** The computer no longer has the address, which may be another device's now: not to be found. */
  public void hide() {
    takeOut("the folder of addresses", () -> rendezvous.withdraw(address, inbox.fd()));
  }

  /** After {@link #hide}, the address is back. */
  public void show() {
    try {
      if (!rendezvous.publish(address, inbox.fd())) {
        LOG.log(Level.WARNING, address + " has another device with shared memory meanwhile");
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, address + " cannot be made known again", e);
    }
  }

  @Override
  public boolean reaches(Address to, long now) {
    return !closed && recipient(to).isThere(now);
  }

  @Override
  public void await(long nanos) {
    exports.tidy();
    if (network != null) {
      awaitBoth(network, nanos);
    } else if (nanos > 0 && !looksForMail(nanos) && parking.park()) {
      sleep(nanos);
      parking.unpark();
    }
  }

  private void awaitBoth(Link other, long nanos) {
    if (nanos <= 0) {
      other.await(nanos);
      return;
    }
    inbox.is(InboxLayout.LISTENS);
    // A sender writes a datagram before it looks at that.
    VarHandle.fullFence();
    other.await(inbox.hasMail() ? 0 : untilRetry(nanos));
    inbox.is(InboxLayout.AWAKE);
    refused = false;
  }

  private void sleep(long nanos) {
    if (!prompt) {
      prompt = true;
      PromptThread.become(LibcNative.errorBuffer(arena));
    }
    inbox.is(InboxLayout.SLEEPS);
    if (parking.isParked() && !inbox.hasMail()) {
      inbox.sleep(timeout, untilRetry(nanos));
    }
    inbox.is(InboxLayout.AWAKE);
    refused = false;
  }

  private long untilRetry(long nanos) {
    return refused ? Math.min(nanos, RETRY_NANOS) : nanos;
  }

  /**
   * Polls for a while, if that was recently successful or a datagram has just come, because most
   * answers come at once.
   */
  private boolean looksForMail(long nanos) {
    long start = System.nanoTime();
    long patience = Math.min(nanos, mailWhileLooking ? LOOK_NANOS : LOOK_NANOS / 4);
    while (System.nanoTime() - start < patience && !parking.isWoken()) {
      if (inbox.hasMail()) {
        mailWhileLooking = true;
        return true;
      }
      Thread.onSpinWait();
    }
    mailWhileLooking = false;
    return false;
  }

  @Override
  public void wake() {
    if (network != null) {
      network.wake();
    } else if (parking.wake()) {
      endSleep();
    }
  }

  /** Synchronized, because a waker must not access memory that another thread frees. */
  private synchronized void endSleep() {
    if (!closed) {
      inbox.wake();
    }
  }

  @Override
  public Address address() {
    return address;
  }

  @Override
  public LinkState state() {
    return closed ? LinkState.GONE : LinkState.UP;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    closeRecipients();
    for (Address group : groups) {
      takeOut("group " + group, () -> rendezvous.leave(group, address));
    }
    hide();
    exports.close();
    inbox.close();
  }

  private interface Removal {
    void make() throws IOException;
  }

  /** After a failure, a sender that finds the name sees that the inbox is closed. */
  private void takeOut(String of, Removal removal) {
    try {
      removal.make();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, address + " could not be taken out of " + of + " in /dev/shm", e);
    }
  }
}
