package dev.verbena.tools.compare;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/**
 * Stands for {@code verbena run} with a program of perftest: a server resends two packets, and its
 * client five.
 */
final class FakePerftest {
  /** Runs one end, the client if the last argument is an address. */
  public static void main(String... args) throws IOException {
    List<String> all = List.of(args);
    int port = Integer.parseInt(all.get(all.indexOf("-p") + 1));
    boolean client = all.getLast().equals("127.0.0.1");
    if (client) {
      new Socket(InetAddress.getLoopbackAddress(), port).close();
    } else {
      try (ServerSocket server = new ServerSocket(port)) {
        server.accept().close();
      }
    }
    System.out.println(" 65536      1000             2500.00            2400.50     0.038");
    if (all.subList(0, all.indexOf("ib_write_bw")).contains("--report=json")) {
      System.err.println("{\"device\":\"soft0\",\"retransmitted\":" + (client ? 5 : 2) + "}");
    }
  }

  private FakePerftest() {}
}
