package dev.verbena.tools;

import java.util.ArrayList;
import java.util.List;

/** Server and client of a tool in this process, on a device each. */
public record TwoEnds(CommandRun server, CommandRun client) {
  private static final String LISTENING = "  listening on TCP port ";

  /** Runs a command as server and as client, to their ends. */
  public static TwoEnds run(String command, String link, String serverOptions, String clientOptions)
      throws Exception {
    CommandRun server = CommandRun.start(arguments(command, link, "0", serverOptions));
    CommandRun client = startClient(server, command, link, clientOptions);
    client.exitCode();
    server.exitCode();
    return new TwoEnds(server, client);
  }

  /** Starts a client of a server that listens, or soon will. */
  public static CommandRun startClient(
      CommandRun server, String command, String link, String options) throws InterruptedException {
    return CommandRun.start(arguments(command, link, port(server), options + " 127.0.0.1"));
  }

  /** The port of a server that listens, or soon will. */
  static String port(CommandRun server) throws InterruptedException {
    return server.awaitLine(line -> line.startsWith(LISTENING)).substring(LISTENING.length());
  }

  /** Of a command on a device of its own. */
  public static String[] arguments(String command, String link, String port, String options) {
    List<String> arguments = new ArrayList<>();
    arguments.add(command);
    arguments.add("--ib-dev=soft:" + TestAddresses.next() + "?" + link);
    arguments.add("--port=" + port);
    arguments.addAll(List.of(options.split(" ")));
    return arguments.toArray(String[]::new);
  }
}
