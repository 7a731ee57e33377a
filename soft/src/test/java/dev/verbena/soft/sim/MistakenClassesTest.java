package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The simulation notices the mistake itself, not the way in which it is made. */
class MistakenClassesTest {
  private static final int SEEDS = 20;

  @Test
  void aClassWrittenAnewWithTheSameBodiesIsNoMistake() {
    MistakenClasses classes =
        new MistakenClasses(
            new Mutation("transport.responder.Responder", "expects", Bodies.same()));
    LongFunction<@Nullable Throwable> run = classes.newSeedRun();
    assertThat(run).isNotInstanceOf(SeedRun.class);
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertThat(run.apply(seed)).as("seed %d", seed).isNull();
    }
  }

  @Test
  void aMistakeInAMethodThatIsNotThereIsAnError() {
    Mutation mutation = new Mutation("transport.responder.Responder", "isForgotten", Bodies.yes());
    assertThatThrownBy(() -> new MistakenClasses(mutation))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "dev.verbena.soft.transport.responder.Responder has 0 methods named isForgotten, not"
                + " 1");
  }

  @Test
  void aMistakeInOneOfTwoMethodsOfTheSameNameIsAnError() {
    Mutation mutation = new Mutation("transport.responder.Responder", "receive", Bodies.nothing());
    assertThatThrownBy(() -> new MistakenClasses(mutation))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "dev.verbena.soft.transport.responder.Responder has 2 methods named receive, not 1");
  }

  @Test
  void aMistakeThatUsesWhatIsNotThereIsAnError() {
    Mutation mutation =
        new Mutation("transport.responder.Responder", "expects", Bodies.readsNoField());
    assertThatThrownBy(() -> new MistakenClasses(mutation))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("dev.verbena.soft.transport.Chunk has no isForgotten of type Z");
  }

  @Test
  void aMistakeInAClassThatIsNotThereIsAnError() {
    Mutation mutation = new Mutation("transport.Oracle", "isExpected", Bodies.yes());
    assertThatThrownBy(() -> new MistakenClasses(mutation))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("there is no class dev.verbena.soft.transport.Oracle");
  }
}
