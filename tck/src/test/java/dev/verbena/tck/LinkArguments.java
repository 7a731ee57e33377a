package dev.verbena.tck;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Supplies the selected links to tests, and tells a failing one the seed of the faults. */
final class LinkArguments implements ArgumentsProvider, TestExecutionExceptionHandler {

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return TckLink.selected().stream().map(Arguments::of);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    failure.addSuppressed(
        new AssertionError("faults of this run: -Dverbena.tck.seed=" + TckLink.SEED));
    throw failure;
  }
}
