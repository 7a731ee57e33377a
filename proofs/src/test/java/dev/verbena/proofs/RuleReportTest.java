package dev.verbena.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherFactory;

class RuleReportTest {

  @Test
  void aFailureHasTheRulesOfItsMethodAndItsClass() throws IOException {
    LawBook book = LawBook.read(RuleReport.root());
    String first = book.text("S4.1.2").orElseThrow();
    String second = book.text("S12.6.3").orElseThrow();
    assertThat(first).isNotEmpty();
    assertThat(second).isNotEmpty();

    List<Throwable> failures = failures(Fails.class);

    assertThat(failures).hasSize(2);
    for (Throwable failure : failures) {
      assertThat(failure).hasMessage("on purpose");
      assertThat(failure.getSuppressed())
          .extracting(Throwable::toString)
          .containsExactly("this test proves\n  S12.6.3: " + second + "\n  S4.1.2: " + first);
    }
  }

  @Test
  void anUnknownRuleIsTold() {
    assertThat(failures(ProvesNothing.class).getFirst().getSuppressed())
        .extracting(Throwable::toString)
        .containsExactly("this test proves\n  A-1: there is no such rule");
  }

  @Test
  void whatIsSkippedOrClaimsNothingStaysAsItIs() {
    List<Throwable> failures = failures(SkipsAndClaimsNothing.class);
    assertThat(failures).hasSize(2);
    assertThat(failures).allSatisfy(failure -> assertThat(failure.getSuppressed()).isEmpty());
  }

  private static List<Throwable> failures(Class<?> fixture) {
    // The tests of a fixture run in parallel.
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    TestExecutionListener collector =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            result.getThrowable().ifPresent(failures::add);
          }
        };
    LauncherConfig config =
        LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    LauncherFactory.create(config)
        .execute(request().selectors(selectClass(fixture)).build(), collector);
    return failures;
  }

  @Proves("S4.1.2")
  abstract static class Parent {}

  static class Fails extends Parent {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Proves("S12.6.3")
    void always(int value) {
      assertThat(value).isPositive();
      fail("on purpose");
    }
  }

  static class ProvesNothing {
    @Test
    @Proves("A-1")
    void fails() {
      fail("on purpose");
    }
  }

  static class SkipsAndClaimsNothing {
    @Test
    @Proves("S12.6.3")
    void skips() {
      assumeTrue(false);
    }

    @Test
    void fails() {
      fail("on purpose");
    }
  }
}
