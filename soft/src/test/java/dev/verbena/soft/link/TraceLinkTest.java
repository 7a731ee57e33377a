package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/** A link that logs what it carries carries it as any other. */
class TraceLinkTest extends LinkContract {
  private final List<String> lines = new ArrayList<>();

  /** Keeps what is logged. */
  private final class Log implements Logger {
    private final Level least;

    Log(Level least) {
      this.least = least;
    }

    @Override
    public String getName() {
      return "log";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= least.getSeverity();
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
      synchronized (lines) {
        lines.add(text);
      }
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  @Override
  Link open(Gid address, LinkCounters counters) {
    return TraceLink.over(
        MemoryNetwork.shared().open(address.subnetPrefix(), address.interfaceId(), counters),
        new Log(Logger.Level.TRACE));
  }

  @Test
  void whereNobodyWantsTheLinesThereIsNothingInTheWay() {
    assertThat(TraceLink.over(a, new Log(Logger.Level.DEBUG))).isSameAs(a);
  }

  @Test
  void whatIsNoPacketIsToldByItsLength() {
    Endpoint.send(a, b, Endpoint.datagram(3, 1));
    inboxB.expect(b, 1);
    String from = new Gid(a.localHi(), a.localLo()).toInetAddress().getHostAddress();
    String to = new Gid(b.localHi(), b.localLo()).toInetAddress().getHostAddress();
    assertThat(lines)
        .containsExactly(
            from + ": sent 3 bytes that are no RoCE packet -> " + to,
            to + ": received 3 bytes that are no RoCE packet <- " + from);
  }
}
