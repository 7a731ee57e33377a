package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.Population;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NativeObjectTest {
  /** Writes the time to the struct, and returns it: a status that is not 0. */
  private static final FunctionNative END = FunctionNative.ofLibc("time");

  private final Arena arena = Arena.ofConfined();
  private final long struct = arena.allocate(Long.BYTES, Long.BYTES).address();

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void aStructWithoutAnObjectIsDestroyed() {
    Supplier<String> constructor =
        () -> {
          throw new OutOfMemoryError("deliberate");
        };
    assertThatThrownBy(() -> NativeObject.construct(struct, "createQp", END, constructor))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("deliberate")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(Host.getLong(struct)).as("the end was called").isNotZero();
  }

  @Test
  void anObjectThatCannotBeEnlistedGivesItsStructBack() {
    Lifetime owner = Lifetime.root("owner", new Population(kind -> 1), () -> () -> {});
    NativeObject object =
        new NativeObject(null, owner, Kind.PD, "1", struct, END) {
          @Override
          void enlist() {
            throw new OutOfMemoryError("deliberate");
          }

          @Override
          public Runnable release() {
            return handle().endingAfter();
          }
        };
    assertThatThrownBy(() -> NativeObject.begin(object, "allocPd", List.of()))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("deliberate")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(Host.getLong(struct)).as("the end was called").isNotZero();
  }

  @Test
  void windowsEndBeforeTheQueuePairsThatTheyAreBoundTo() {
    assertThat(Arrays.stream(Kind.values()).sorted(NativeContext.CLOSING_ORDER))
        .startsWith(Kind.MW, Kind.MCAST)
        .containsSubsequence(Kind.QP, Kind.AH, Kind.SRQ, Kind.MR, Kind.CQ, Kind.PD)
        .endsWith(Kind.CONTEXT)
        .hasSameSizeAs(Kind.values());
  }

  @Test
  void aStructWithAnObjectStays() {
    assertThat(NativeObject.construct(struct, "createQp", END, () -> "made")).isEqualTo("made");
    assertThat(Host.getLong(struct)).isZero();
  }
}
