package dev.verbena.tck.kit.links;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Supplies each selected link with each posting API to tests. */
final class LinkAndApiArguments implements ArgumentsProvider {

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return TckLink.selected().stream()
        .flatMap(link -> Arrays.stream(PostingApi.values()).map(api -> Arguments.of(link, api)));
  }
}
