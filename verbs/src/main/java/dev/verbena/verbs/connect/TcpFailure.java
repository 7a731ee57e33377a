package dev.verbena.verbs.connect;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;

/** Failures of sockets with the address that was meant, which the JDK's messages do not have. */
final class TcpFailure {
  private TcpFailure() {}

  /** The same failure, of the same class if that is one of the JDK's for sockets. */
  static IOException at(InetSocketAddress address, IOException e) {
    if (e instanceof ClosedChannelException) {
      // This thread was interrupted: an end of its own kind, which has no message.
      return e;
    }
    String message = address + ": " + e.getMessage();
    IOException named =
        switch (e) {
          case BindException _ -> new BindException(message);
          case ConnectException _ -> new ConnectException(message);
          case NoRouteToHostException _ -> new NoRouteToHostException(message);
          case SocketException _ -> new SocketException(message);
          case SocketTimeoutException _ -> new SocketTimeoutException(message);
          default -> new IOException(message);
        };
    named.initCause(e);
    return named;
  }

  /** Sockets tell of a name without an address in classes that differ, and in no words. */
  static void requireResolved(InetSocketAddress address) throws UnknownHostException {
    if (address.isUnresolved()) {
      throw new UnknownHostException("no address is known for the host " + address.getHostString());
    }
  }
}
