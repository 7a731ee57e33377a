import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRemoteKey;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * Two Java processes that exchange data by jucx, UCX's interface for Java, with tagged messages,
 * puts and gets, and check all of it. Each prints "all data right" at its end.
 */
public final class Jucx {
  private static final int[] LENGTHS = {1, 8, 100, 4096, 8193, 70_001, 1 << 20};
  private static final int LARGEST = 1 << 20;
  private static final int DATA = 1;
  private static final int BARRIER = 2;

  private final int me;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final UcpContext context =
      new UcpContext(new UcpParams().requestTagFeature().requestRmaFeature());
  private final UcpWorker worker = context.newWorker(new UcpWorkerParams());
  private final ByteBuffer sent = ByteBuffer.allocateDirect(LARGEST);
  private final ByteBuffer received = ByteBuffer.allocateDirect(LARGEST);

  /** Memory that the peer may write and read. */
  private final ByteBuffer open = ByteBuffer.allocateDirect(LARGEST);

  private final UcpMemory memory = context.registerMemory(open);
  private final UcpEndpoint endpoint;
  private final UcpRemoteKey key;
  private final long theirs;

  private Jucx(int me, Socket socket) throws IOException {
    this.me = me;
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    endpoint =
        worker.newEndpoint(new UcpEndpointParams().setUcpAddress(exchange(worker.getAddress())));
    key = endpoint.unpackRemoteKey(exchange(memory.getRemoteKeyBuffer()));
    out.writeLong(memory.getAddress());
    theirs = in.readLong();
  }

  /** The first process has no argument; it starts the second one, and passes it the address. */
  public static void main(String[] arguments) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    if (arguments.length > 0) {
      try (Socket socket = new Socket(here, Integer.parseInt(arguments[0]))) {
        new Jucx(1, socket).run();
      }
      return;
    }
    try (ServerSocket server = new ServerSocket(0, 1, here)) {
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Jucx.class.getName(),
                  Integer.toString(server.getLocalPort()))
              .inheritIO()
              .start();
      try (Socket socket = server.accept()) {
        new Jucx(0, socket).run();
      }
      System.exit(other.waitFor());
    }
  }

  private ByteBuffer exchange(ByteBuffer mine) throws IOException {
    byte[] bytes = new byte[mine.remaining()];
    mine.get(bytes);
    out.writeInt(bytes.length);
    out.write(bytes);
    byte[] other = in.readNBytes(in.readInt());
    return ByteBuffer.allocateDirect(other.length).put(other).flip();
  }

  private void await(UcpRequest request) throws Exception {
    worker.progressRequest(request);
    if (request.getStatus() != 0) {
      throw new AssertionError("process " + me + ": status " + request.getStatus());
    }
  }

  private static byte byteOf(int from, int length, int at) {
    int x = at * 0x9e3779b1 ^ (from * 40_503 + length * 9_176);
    return (byte) (x >>> 24 ^ x >>> 11);
  }

  private static void fill(ByteBuffer data, int from, int length) {
    for (int i = 0; i < length; i++) {
      data.put(i, byteOf(from, length, i));
    }
  }

  private void check(String what, ByteBuffer data, int length) {
    for (int i = 0; i < length; i++) {
      if (data.get(i) != byteOf(1 - me, length, i)) {
        throw new AssertionError("process " + me + ", " + what + " of " + length + ": byte " + i);
      }
    }
  }

  private void message(int tag, int length) throws Exception {
    UcxCallback none = new UcxCallback();
    UcpRequest receive = worker.recvTaggedNonBlocking(received.slice(0, length), tag, -1, none);
    await(endpoint.sendTaggedNonBlocking(sent.slice(0, length), tag, none));
    await(receive);
  }

  /** Waits until both processes are here, and all puts have arrived. */
  private void meet() throws Exception {
    await(endpoint.flushNonBlocking(new UcxCallback()));
    message(BARRIER, 1);
  }

  private void run() throws Exception {
    UcxCallback none = new UcxCallback();
    for (int length : LENGTHS) {
      fill(sent, me, length);
      message(DATA, length);
      check("message", received, length);
      meet();
      await(endpoint.putNonBlocking(sent.slice(0, length), theirs, key, none));
      meet();
      check("put", open, length);
      meet();
      fill(open, me, length);
      meet();
      await(endpoint.getNonBlocking(theirs, key, received.slice(0, length), none));
      check("get", received, length);
      meet();
    }
    key.close();
    await(endpoint.closeNonBlockingFlush());
    // A process that ends takes its device with it, which must first answer the other's last
    // packets.
    out.writeByte(0);
    in.readByte();
    memory.close();
    worker.close();
    context.close();
    System.out.println("all data right: process " + me);
  }
}
