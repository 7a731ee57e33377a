package dev.verbena.interop.sides;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A connection to {@code verbs_peer.py}: each command and each answer is one line (README.md). Not
 * thread-safe.
 */
final class VerbsPeerConnection implements AutoCloseable {
  private final Socket socket = new Socket();
  private final BufferedReader in;
  private final OutputStream out;

  /**
   * Connects.
   *
   * @param patience how long the connection and each answer may take
   */
  VerbsPeerConnection(InetSocketAddress peer, Duration patience) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
      socket.connect(peer, Math.toIntExact(patience.toMillis()));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw new IOException("cannot reach verbs_peer.py at " + peer + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends a command and waits for its answer.
   *
   * @throws VerbsPeerException if the peer refused it
   * @throws IOException if there was no answer in time, or an invalid one
   */
  Answer ask(String command) throws IOException {
    out.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
    String line;
    try {
      line = in.readLine();
    } catch (SocketTimeoutException e) {
      // A late answer would be taken for that of the next command.
      socket.close();
      throw new IOException("no answer in time to '" + command + "'", e);
    }
    if (line == null) {
      throw new IOException("the peer closed the connection after '" + command + "'");
    }
    if (line.equals("ok") || line.startsWith("ok ")) {
      return Answer.parse(line, line.substring(2));
    }
    int text = line.indexOf(" text=");
    if (line.startsWith("error ") && text >= 0) {
      Answer error = Answer.parse(line, line.substring("error".length(), text));
      throw new VerbsPeerException(
          command, (int) error.number("errno"), line.substring(text + " text=".length()));
    }
    throw new IOException("the peer answered '" + line + "' to '" + command + "'");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
