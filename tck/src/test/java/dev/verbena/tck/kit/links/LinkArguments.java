package dev.verbena.tck.kit.links;

import dev.verbena.verbs.LinkLayer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Supplies the selected links to tests. */
final class LinkArguments implements ArgumentsProvider, AnnotationConsumer<OnEveryLink> {
  private final Set<LinkLayer> layers = EnumSet.noneOf(LinkLayer.class);

  @Override
  public void accept(OnEveryLink annotation) {
    layers.addAll(List.of(annotation.of()));
  }

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return TckLink.selectedFor(context.getRequiredTestClass(), layers).map(Arguments::of);
  }
}
