package dev.verbena.proofs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Adds the rules that a failing test proves to its failure, in the words of the {@link LawBook}.
 */
final class RuleReport implements TestExecutionExceptionHandler {

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (!(failure instanceof TestAbortedException)) {
      try {
        failure.addSuppressed(new Remark("this test proves" + rules(context)));
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private static String rules(ExtensionContext context) throws IOException {
    LawBook book = LawBook.read(root());
    return Claims.of(context.getRequiredTestClass(), context.getRequiredTestMethod()).stream()
        .map(id -> "\n  %s: %s".formatted(id, book.text(id).orElse("there is no such rule")))
        .collect(Collectors.joining());
  }

  /** The repository's root, wherever in it the tests run. */
  static Path root() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    return Stream.iterate(Optional.of(here), Optional::isPresent, p -> p.map(Path::getParent))
        .flatMap(Optional::stream)
        .filter(folder -> Files.isDirectory(folder.resolve(LawBook.FOLDER)))
        .findFirst()
        .orElseThrow(() -> new IOException("no folder above " + here + " has " + LawBook.FOLDER));
  }
}
