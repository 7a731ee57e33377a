package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.classfile.CodeTransform;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Some seeds of {@link AttackRun}; {@code bin/fuzz packets} runs more. */
class AttackRunTest {
  private static final int SEEDS_FOR_A_MISTAKE = 20;

  /** Checks that attackers get around, if they are left out. */
  enum Check {
    RIGHTS("transport.responder.PeerAccess", "find", Bodies.takesSecondIntForZero()),
    SEQUENCE_OF_REQUESTS("transport.responder.Responder", "expects", Bodies.yes()),
    SEQUENCE_OF_ANSWERS("transport.requester.SendProgress", "awaits", Bodies.yes()),
    QKEY("transport.responder.Responder", "hasOurQkey", Bodies.yes()),
    STATE_SOURCE_AND_PKEY("transport.QpCore", "obstacle", Bodies.nothingFound());

    @SuppressWarnings("ImmutableEnumChecker") // what Bodies makes has no state
    final Mutation leftOut;

    Check(String className, String method, CodeTransform body) {
      leftOut = new Mutation(className, method, body);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  @Proves({"S12.10", "S1.5.6"})
  void noPacketChangesMoreThanItsSenderMay(long seed) {
    AttackRun run = new AttackRun();
    Throwable problem = run.apply(seed);
    if (problem != null) {
      throw new AssertionError(
          "seed " + seed + " (alone: bin/fuzz packets 1 " + seed + ")", problem);
    }
    assertThat(run.sent()).isGreaterThan(10_000);
  }

  @ParameterizedTest
  @EnumSource(Check.class)
  void aCheckThatIsLeftOutIsNoticed(Check check) {
    LongFunction<@Nullable Throwable> run =
        new MistakenClasses(check.leftOut).newRun(AttackRun.class);
    for (long seed = 1; seed <= SEEDS_FOR_A_MISTAKE; seed++) {
      if (run.apply(seed) instanceof AssertionError) {
        return;
      }
    }
    assertThat(SEEDS_FOR_A_MISTAKE).as("seeds in which nobody missed %s", check).isNegative();
  }

  @Test
  void aPacketThatCausesAnExceptionIsNoticed() {
    assertNoticed(onNotification("stumble"), ".*: the engine has failed");
  }

  @Test
  void aPacketThatCausesLargeAllocationsIsNoticed() {
    assertNoticed(onNotification("splurge"), "a step has allocated [0-9]+ bytes");
  }

  @Test
  void memoryThatCanBeWrittenAfterItsDeregistrationIsNoticed() {
    assertNoticed(
        new Mutation("memory.KeyTable", "clear", Bodies.nothing()),
        "memory that was taken away has changed: .*");
  }

  /** Each congestion notification, which only attackers send, is a burden. */
  private static Mutation onNotification(String burden) {
    return new Mutation("engine.Inbound", "dispatchNotification", Bodies.burdened(burden));
  }

  /** A first failure may show as an allocation, because its log message loads classes. */
  private static void assertNoticed(Mutation mutation, String message) {
    LongFunction<@Nullable Throwable> run = new MistakenClasses(mutation).newRun(AttackRun.class);
    List<@Nullable Throwable> problems = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS_FOR_A_MISTAKE; seed++) {
      Throwable problem = run.apply(seed);
      if (problem instanceof AssertionError
          && String.valueOf(problem.getMessage()).matches("(?s)" + message)) {
        return;
      }
      problems.add(problem);
    }
    throw new AssertionError("nobody noticed, but " + problems);
  }

  @Test
  void theSameSeedSendsTheSamePackets() {
    assertThat(attacks()).isEqualTo(attacks());
  }

  private static long attacks() {
    try (Simulation simulation = Simulation.attacked(3)) {
      simulation.run();
      return simulation.attacks();
    }
  }
}
