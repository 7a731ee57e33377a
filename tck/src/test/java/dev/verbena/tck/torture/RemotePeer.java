package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Target} in another process, by the side channel to its {@link TargetServer}. */
final class RemotePeer implements Peer {
  private final Line line;

  /** Writes to memory, which cannot fail. */
  private interface Frame {
    void write(DataOutputStream out) throws IOException;
  }

  RemotePeer(SocketAddress server, Traffic traffic, int lane) {
    line = Line.to(server);
    line.send(
        frame(
            out -> {
              out.writeInt(lane);
              traffic.write(out);
            }));
  }

  private static byte[] frame(Frame content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void ask(Wish wish, ConnectionData ours) {
    line.send(
        frame(
            out -> {
              out.writeUTF(wish.name());
              out.write(ours.toBytes());
            }));
  }

  /** Passes a wish from a line to its target. */
  static void pass(DataInputStream in, Peer target) throws IOException {
    Wish wish = Wish.valueOf(in.readUTF());
    target.ask(wish, connectionData(in));
  }

  /** The form of an answer on the line. */
  static byte[] toBytes(Answer answer) {
    return frame(
        out -> {
          out.write(answer.target().toBytes());
          out.writeInt(answer.srqNum());
          out.writeLong(answer.word());
          out.writeBoolean(answer.broken());
          out.writeBoolean(answer.struck());
          for (long count : answer.counters()) {
            out.writeLong(count);
          }
        });
  }

  @Override
  public @Nullable Answer answer() {
    DataInputStream in = line.receive();
    if (in == null) {
      return null;
    }
    try {
      ConnectionData target = connectionData(in);
      int srqNum = in.readInt();
      long word = in.readLong();
      boolean broken = in.readBoolean();
      boolean struck = in.readBoolean();
      List<Long> counters = new ArrayList<>();
      while (in.available() > 0) {
        counters.add(in.readLong());
      }
      return new Answer(target, srqNum, word, broken, struck, counters);
    } catch (IOException e) {
      throw new UncheckedIOException("a strange answer of the target process", e);
    }
  }

  private static ConnectionData connectionData(DataInputStream in) throws IOException {
    return ConnectionData.ofBytes(in.readNBytes(ConnectionData.BYTES));
  }

  @Override
  public void completed(int slot) {
    // That process looks when it is asked for the next batch.
  }

  @Override
  public boolean isGone() {
    return line.isBroken();
  }

  @Override
  public void close() {
    line.close();
  }
}
