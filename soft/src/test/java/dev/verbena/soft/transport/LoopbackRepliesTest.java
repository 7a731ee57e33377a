package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.wire.AethSyndrome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When a requester learns of the answers of a responder in the same process. */
final class LoopbackRepliesTest {
  private final Rig rig = Rig.loopback(both -> {});
  private final LoopbackReplies replies = new LoopbackReplies(rig.a.requester.completer);

  /** What was complete before the acknowledgement was handed on, and behind that. */
  private final List<List<String>> complete = new ArrayList<>();

  private void write(Consumer<Chunk> delivery) {
    rig.a.connect(
        new WatchedPath(
            chunk -> {
              delivery.accept(chunk);
              complete.add(rig.a.sendResults());
              replies.handOn();
              complete.add(rig.a.sendResults());
            }));
    rig.a.postWrite(7, rig.a.memory(8), 8, rig.b.memory(8));
    rig.a.pump();
  }

  @Test
  void anAcknowledgementWaitsUntilItIsHandedOn() {
    write(
        chunk -> {
          replies.from(rig.b.responder);
          rig.b.responder.receive(chunk, rig.b.responder.obstacle(chunk), replies);
        });
    assertThat(complete).containsExactly(List.of(), List.of("7"));
  }

  @Test
  void anAcknowledgementThatWasNotHandedOnIsForgottenWithTheNextChunk() {
    write(
        chunk -> {
          replies.acknowledge(chunk.psn, AethSyndrome.ACK_UNLIMITED, 1);
          replies.from(rig.b.responder);
        });
    assertThat(complete).containsExactly(List.of(), List.of());
  }
}
