package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.EtherLink;
import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.NativeAccess;
import dev.verbena.soft.link.Receiver;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The Ethernet of a network interface, by a packet socket of Linux (packet(7)): one frame per call,
 * without allocation for frames. The kernel also sees the received frames, and may answer them. The
 * link does not receive what the kernel itself sends, nor the kernel's segments that are longer
 * than the interface's frames, which pairs of virtual interfaces carry unless segmentation offload
 * is turned off.
 */
public final class PacketLink implements EtherLink {
  private static final int MSG_TRUNC = 0x20;

  private final PacketSocket socket;
  private final LinkCounters counters;
  // Freed by the garbage collector, because a late call on a closed link must not end its thread.
  private final Arena arena = Arena.ofAuto();
  private final LinuxPoll poll;
  private final MemorySegment sendError = LibcNative.errorBuffer(arena);
  private final MemorySegment sendHeader;
  private final MemorySegment sendPiece;
  private final OncePerErrno sendFailures;
  private final PacketMessage received;
  private final MemorySegment receiveError = LibcNative.errorBuffer(arena);
  private final OncePerErrno receiveFailures;
  private volatile boolean closed;

  private PacketLink(PacketSocket socket, LinkCounters counters) {
    this.socket = socket;
    this.counters = counters;
    poll = new LinuxPoll(arena, socket.fd(), socket.name());
    sendHeader = arena.allocate(MessageHeader.BYTES, Long.BYTES);
    sendPiece = arena.allocate(MessageHeader.PIECE_BYTES, Long.BYTES);
    MessageHeader.init(sendHeader, MemorySegment.NULL, sendPiece, MemorySegment.NULL);
    sendFailures = new OncePerErrno("send on " + socket.name());
    received = new PacketMessage(arena, socket.maxFrame());
    receiveFailures = new OncePerErrno("receive on " + socket.name());
  }

  /**
   * Opens a packet socket on the interface with this name.
   *
   * @throws VerbsException EPERM without CAP_NET_RAW, ENODEV if there is no such interface, EINVAL
   *     if it is not Ethernet, EOPNOTSUPP where native calls are not available
   */
  public static PacketLink open(String interfaceName, LinkCounters counters) {
    if (!NativeAccess.obstacle().isEmpty()) {
      throw new VerbsException(
          BindFailure.FUNCTION,
          Errno.EOPNOTSUPP,
          "ether="
              + interfaceName
              + ": packet sockets need native calls: "
              + NativeAccess.obstacle());
    }
    PacketSocket socket = PacketSocket.open(interfaceName);
    try {
      return new PacketLink(socket, counters);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public long mac() {
    return socket.mac();
  }

  @Override
  public int maxFrame() {
    return socket.maxFrame();
  }

  @Override
  public void listen(boolean promiscuous) {
    socket.listen(promiscuous);
  }

  @Override
  public boolean send(MemorySegment frame, int length) {
    if (closed) {
      return true;
    }
    MessageHeader.writePiece(sendPiece, 0, frame.address(), length);
    long result =
        UdpNative.sendmsg(sendError, socket.fd(), sendHeader, UdpNative.MSG_DONTWAIT, frame);
    if (result == -Errno.EAGAIN) {
      counters.add(Counter.SEND_BLOCKED, 1);
      return false;
    }
    if (result < 0) {
      counters.add(Counter.SEND_LOST, 1);
      sendFailures.failed((int) -result);
    }
    return true;
  }

  @Override
  public int receive(Receiver receiver, int most) {
    int count = 0;
    int errors = 0;
    while (count < most && errors < DatagramReader.ERRORS_IN_A_ROW && !closed) {
      received.reset();
      long result =
          UdpNative.recvmsg(
              receiveError, socket.fd(), received.header(), UdpNative.MSG_DONTWAIT | MSG_TRUNC);
      if (result == -Errno.EAGAIN) {
        break;
      }
      if (result < 0) {
        receiveFailures.failed((int) -result);
        errors++;
        continue;
      }
      count++;
      int length = received.restore(result);
      if (length < 0) {
        counters.add(Counter.DROPPED_MALFORMED, 1);
      } else {
        receiver.frame(received.frame(), length);
      }
    }
    return count;
  }

  @Override
  public void await(long nanos) {
    poll.await(nanos);
  }

  @Override
  public void wake() {
    poll.wake();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      poll.close();
      socket.close();
    }
  }
}
