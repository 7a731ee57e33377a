package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.lang.System.Logger;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/** A link that logs what it carries. */
class TraceLinkTest {
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

  private Link open(String address, LinkCounters counters) {
    Gid gid = Gid.parse(address);
    return MemoryNetwork.shared().open(Gids.address(gid), counters);
  }

  @Test
  void whereNobodyWantsTheLinesThereIsNothingInTheWay() {
    try (Link bare = open("10.9.2.1", new Inbox())) {
      assertThat(TraceLink.over(bare, new Log(Logger.Level.DEBUG))).isSameAs(bare);
    }
  }

  @Test
  void whatIsNoPacketIsToldByItsLengthAndArrivesAllTheSame() {
    Inbox inbox = new Inbox();
    Log log = new Log(Logger.Level.TRACE);
    try (Link a = TraceLink.over(open("10.9.2.2", new Inbox()), log);
        Link b = TraceLink.over(open("10.9.2.3", inbox), log)) {
      MemorySegment datagram = Endpoint.datagram(3, 1);
      assertThat(Endpoint.send(a, b, datagram)).isTrue();
      inbox.expect(b, 1);
      assertThat(inbox.mails.getFirst().bytes()).isEqualTo(Endpoint.bytes(datagram));
    }
    assertThat(lines)
        .containsExactly(
            "10.9.2.2: sent 3 bytes that are no RoCE packet -> 10.9.2.3",
            "10.9.2.3: received 3 bytes that are no RoCE packet <- 10.9.2.2");
  }
}
