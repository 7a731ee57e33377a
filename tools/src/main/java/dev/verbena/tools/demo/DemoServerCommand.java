package dev.verbena.tools.demo;

import dev.verbena.tools.kit.DeviceOption;
import dev.verbena.tools.kit.SizeOption;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.ConnectionData;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code verbena demo-server}: the process that the demonstration starts. It prints the TCP port on
 * which it waits for the demonstration, and ends when the demonstration closes the connection or
 * dies.
 */
@Command(
    name = DemoServerCommand.NAME,
    hidden = true,
    description = "The server process of 'verbena demo', which starts it.")
public final class DemoServerCommand implements Callable<Integer> {
  static final String NAME = "demo-server";

  /** The text before the port on the first line of output. */
  static final String PORT_PREFIX = "port ";

  private static final int CONNECT_MILLIS = 60_000;

  /** The client sends at least this often; if it dies, the connection closes at once. */
  private static final int SILENCE_MILLIS = 60_000;

  private final PrintWriter out;

  @Mixin private final DeviceOption device = new DeviceOption();
  @Mixin private final SizeOption size = new SizeOption(0);

  @Option(names = "--seed", required = true)
  private long seed;

  /** Creates the command, which writes the port to {@code out}. */
  public DemoServerCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    try (DemoEnd end = DemoEnd.open(device.spec(), true, size.bytes(), seed);
        Socket control = accept()) {
      control.setTcpNoDelay(true);
      control.setSoTimeout(SILENCE_MILLIS);
      end.connect(ConnectionData.exchange(control, end.local()));
      new DemoServer(end, control).serve();
    }
    return 0;
  }

  private Socket accept() throws IOException {
    try (ServerSocket listener = new ServerSocket()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
      listener.setSoTimeout(CONNECT_MILLIS);
      out.println(PORT_PREFIX + listener.getLocalPort());
      out.flush();
      return listener.accept();
    } catch (SocketTimeoutException e) {
      throw ToolException.failure(
          "no client within " + CONNECT_MILLIS / 1000 + " s; 'verbena demo' starts both", e);
    }
  }
}
