package dev.verbena.soft.engine.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.ExportableMemory;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.ImportedQueuePair;
import dev.verbena.soft.link.ImportedRegion;
import dev.verbena.soft.link.Requests;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.Journal;
import dev.verbena.soft.transport.PromptAcks;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.packets.PacketOut;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MappedPathTest {
  private static final Address HERE = new Address(7, 1);
  private static final Address PEER = new Address(7, 2);

  private final List<Requests> asked = new ArrayList<>();
  private @Nullable ImportedQueuePair found;
  private final QpParameters parameters = new QpParameters(0x11);
  private final MappedPath path = new MappedPath(new Found(), HERE, new NoLink(), core());

  /** A queue pair that exports no memory. */
  private static final class NoMemory implements ImportedQueuePair {
    @Override
    public boolean enter() {
      return true;
    }

    @Override
    public void exit() {}

    @Override
    public @Nullable ImportedRegion find(int rkey) {
      return null;
    }

    @Override
    public int access() {
      return Access.REMOTE_WRITE;
    }
  }

  /** Finds what the test says, at first nothing. */
  private final class Found implements Exports {
    @Override
    public @Nullable ExportableMemory allocate(Arena arena, long bytes) {
      return null;
    }

    @Override
    public Export queuePair(Requests requests, int access, long domain) {
      return Export.NONE;
    }

    @Override
    public @Nullable ImportedQueuePair find(Requests requests) {
      asked.add(requests);
      return found;
    }
  }

  private static final class NoLink implements PacketOut {
    @Override
    public boolean isReady() {
      return false;
    }

    @Override
    public int mostInFlight(int payload) {
      return 1;
    }

    @Override
    public int mostInFlightOf(int charge, int largest) {
      return 1;
    }

    @Override
    public int mostAnswersInFlight(int mtu) {
      return 1;
    }

    @Override
    public MemorySegment begin() {
      throw new AssertionError();
    }

    @Override
    public int commit(int length) {
      throw new AssertionError();
    }

    @Override
    public void abandon() {
      throw new AssertionError();
    }
  }

  private static final class Silence implements Journal {
    @Override
    public void refused(RefusedRequest request) {}

    @Override
    public void changed(QpState from, QpState to) {}

    @Override
    public void sendsAgain(int psn, boolean silence) {}

    @Override
    public void nak(int psn, int syndrome, boolean sent) {}
  }

  private QpCore core() {
    KeyTable keys = new KeyTable(() -> 1);
    parameters.peer(PEER);
    parameters.destQpn(0x22);
    parameters.psns(5, 6);
    return new QpCore(
        Service.RC,
        parameters,
        new QpStatus(new Silence()),
        keys,
        new Domain(),
        new Windows(keys),
        new WindowOwner(),
        new Tally(),
        event -> {},
        () -> 0,
        new PromptAcks(),
        new Silence());
  }

  private void tryOften(int messages) {
    for (int i = 0; i < messages; i++) {
      path.direct(
          (peer, budget) -> {
            throw new AssertionError("there is no peer");
          },
          new Budget());
    }
  }

  @Test
  void aPeerThatExportsNothingIsAskedSeldomAndAlwaysWithTheSameRequests() {
    tryOften(65 * 10);
    assertThat(asked)
        .hasSize(10)
        .allSatisfy(each -> assertThat(each).isSameAs(asked.getFirst()))
        .contains(new Requests(PEER, 0x22, HERE, 0x11, 6, parameters.pkey));
    assertThat(path.words()).isEqualTo("packets, because the peer does not export its queue pair");
  }

  @Test
  void whatIsWrongHereIsNotSaidOfThePeer() {
    found = new NoMemory();
    path.direct(
        (peer, budget) -> peer.writeWhole(1, 1, 7, 0, new SpanList()) ? 1 : 0, new Budget());
    assertThat(path.words()).startsWith("packets, because the peer does not export the memory");
    for (int i = 0; i < 65; i++) {
      path.direct((peer, budget) -> 0, new Budget());
    }
    assertThat(path.words())
        .isEqualTo("packets, because this side's memory or limits do not allow it");
  }

  @Test
  void whatTheProgramChangesIsAskedFor() {
    tryOften(1);
    parameters.pkey(0x8001);
    tryOften(65);
    parameters.psns(5, 7);
    tryOften(65);
    assertThat(asked)
        .extracting(Requests::pkey)
        .containsExactly(asked.getFirst().pkey(), 0x8001, 0x8001);
    assertThat(asked).extracting(Requests::psn).containsExactly(6, 6, 7);
  }
}
