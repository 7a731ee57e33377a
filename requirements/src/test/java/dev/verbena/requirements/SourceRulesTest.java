package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceRulesTest {

  @TempDir private Path folder;

  @Test
  void noSourceIsTooLong() throws IOException {
    assertThat(SourceRules.tooLong(mainSources())).isEmpty();
  }

  @Test
  void findsASourceThatIsTooLong() throws IOException {
    Path good = source("Good.java", "\n".repeat(SourceRules.MAX_LINES));
    Path bad = source("Bad.java", "\n".repeat(SourceRules.MAX_LINES + 1));
    assertThat(SourceRules.tooLong(List.of(good, bad)))
        .containsExactly(bad + ": 801 lines, at most 800");
  }

  @Test
  void noPieceOfCodeIsThereTwice() throws IOException {
    assertThat(Copies.in(Stream.concat(mainSources().stream(), shim().stream()).toList()))
        .isEmpty();
  }

  @Test
  void findsAPieceThatIsThereTwice() throws IOException {
    String piece = lines("call%1$d(name, \"text; %1$d\", '{', %1$d);", Copies.LINES);
    Path first = source("First.java", "class First {\n  void first() {\n" + piece + "  }\n}\n");
    Path copy =
        source(
            "Copy.java",
            "import java.util.List;\n\nclass Copy {\n  int copy() {\n    int own = 1;\n"
                + piece
                    .replace("name", "other")
                    .replace("text", "words")
                    .replace("call3(", "// why\n\n    @Deprecated(since = \"3\")\n    made(")
                + "    return own;\n  }\n}\n");
    Path shorter =
        source(
            "Shorter.java",
            "class Shorter {\n  int shorter() {\n"
                + lines("call(name, \"\", 'a', 0);", Copies.LINES - 1)
                + "    return 0;\n  }\n}\n");
    Path shim =
        source("shim.c", "int shim(void)\n{\n" + lines("f[%d] = 0;", 2 * Copies.LINES) + "}\n");
    assertThat(Copies.in(List.of(first, copy, shorter, shim)))
        .containsExactly(
            first + ":3-17 and " + copy + ":6-23: 15 lines of the same shape",
            shim + ":3-17 and " + shim + ":18-32: 15 lines of the same shape");
  }

  @Test
  void whatAFunctionCouldNotReplaceIsNoCopy() throws IOException {
    int many = 2 * Copies.LINES;
    Path plain =
        source(
            "Plain.java",
            "final class Plain {\n"
                + lines("private int field%d = 0;", many)
                + lines("int field%1$d() {\n return field%1$d;\n}\n", many)
                + lines("int field%1$d() {\n require(\"%1$d\");\n return field;\n}\n", many)
                + lines("Plain set%1$d(int to) {\n field%1$d = to;\n return this;\n}\n", many)
                + "  static void write(long out) {\n"
                + lines("Host.setInt(out + Layout.FIELD_%d, 0);", many)
                + "  }\n\n  enum Word {\n"
                + lines("WORD%d(\"word\") {},", many)
                + "    LAST(\"word\");\n  }\n}\n");
    Path shim = source("shim.c", "static struct ops ops = {\n" + lines(".f%d = 0,", many) + "};\n");
    assertThat(Copies.in(List.of(plain, shim))).isEmpty();
  }

  /** As many lines, with their numbers. */
  private static String lines(String format, int count) {
    return IntStream.range(0, count)
        .mapToObj(line -> "    " + format.formatted(line) + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void restrictedMethodsAreCalledByNativeClassesOnly() throws IOException {
    assertThat(SourceRules.restrictedOutsideNative(allSources())).isEmpty();
  }

  @Test
  void findsRestrictedMethodsInOtherClasses() throws IOException {
    String annotation = "@SuppressWarnings({\"unused\", \"" + "restricted\"})";
    Path good = source("SocketNative.java", annotation);
    Path bad = source("Socket.java", annotation);
    assertThat(SourceRules.restrictedOutsideNative(List.of(good, bad)))
        .containsExactly(bad + ": suppresses 'restricted', but is not named *Native");
  }

  @Test
  void protocolMachinesAreSynchronizedByGuards() throws IOException {
    List<Path> machines =
        Repository.sources("src/main", List.of("wire", "soft")).stream()
            .filter(
                source ->
                    Repository.root()
                        .relativize(source)
                        .toString()
                        .matches("wire/.*|.*/soft/(transport|memory|queue)/.*"))
            .toList();
    assertThat(SourceRules.monitors(notEmpty(machines))).isEmpty();
  }

  @Test
  void findsAProtocolMachineThatIsSynchronized() throws IOException {
    String method = "  public synchronized void run() {}\n";
    Path good = source("Good.java", "class Good {\n  /** Not synchronized. */\n}\n");
    Path known = source("memory/Windows.java", method);
    Path bad = source("Bad.java", method);
    Path block = source("Block.java", "    synchronized (this) {\n");
    assertThat(SourceRules.monitors(List.of(good, known, bad, block)))
        .containsExactly(
            bad + ": is synchronized; who uses it holds a guard",
            block + ": is synchronized; who uses it holds a guard");
  }

  @Test
  void nothingIsImportedByWildcard() throws IOException {
    assertThat(SourceRules.wildcardImports(allSources())).isEmpty();
  }

  @Test
  void findsAnImportByWildcard() throws IOException {
    Path good = source("Good.java", "import java.util.List;\n// import of *;\n");
    Path bad = source("Bad.java", "package p;\nimport java.util.*;\n");
    assertThat(SourceRules.wildcardImports(List.of(good, bad)))
        .containsExactly(bad + ": imports by wildcard");
  }

  @Test
  void whatIsPrintedIsAscii() throws IOException {
    assertThat(SourceRules.textsBeyondAscii(mainSources())).isEmpty();
  }

  @Test
  void findsATextThatIsNotAscii() throws IOException {
    Path good = source("Good.java", "/** 1 \u00b5s: \"short\". */\n// \"5 \u00b5s\"\nint a = 1;\n");
    Path bad = source("Bad.java", "class Bad {\n  String unit = \"\u00b5s\";\n}\n");
    assertThat(SourceRules.textsBeyondAscii(List.of(good, bad)))
        .containsExactly(bad + ": a text has a character beyond ASCII");
  }

  @Test
  void everyPackageIsNullMarked() throws IOException {
    assertThat(SourceRules.packagesNotNullMarked(mainSources())).isEmpty();
  }

  @Test
  void findsAPackageThatIsNotNullMarked() throws IOException {
    Path bad = source("A.java", "class A {}");
    assertThat(SourceRules.packagesNotNullMarked(List.of(bad)))
        .containsExactly(folder + ": no package-info.java with @NullMarked");
    source("package-info.java", "package p;");
    assertThat(SourceRules.packagesNotNullMarked(List.of(bad))).hasSize(1);
    source("package-info.java", "@NullMarked package p;");
    assertThat(SourceRules.packagesNotNullMarked(List.of(bad))).isEmpty();
  }

  @Test
  void chaptersOfTheSuiteShareTheKitOnly() throws IOException {
    List<Path> suite = notEmpty(Repository.sources("src/test", List.of("tck")));
    assertThat(SourceRules.chaptersThatUseEachOther(suite)).isEmpty();
  }

  @Test
  void findsAChapterThatUsesAnotherAndAKitThatUsesWhatIsAboveIt() throws IOException {
    String suite = "dev.verbena" + ".tck";
    Path good =
        source("Good.java", "package %1$s.xrc;\nimport %1$s.kit.pairs.QpPair;\n".formatted(suite));
    Path inner =
        source("Inner.java", "package %1$s.xrc.more;\nimport %1$s.xrc.A;\n".formatted(suite));
    Path outer =
        source("Outer.java", "package %1$s.xrc;\nimport %1$s.xrc.more.B;\n".formatted(suite));
    Path bad =
        source("Bad.java", "package %1$s.xrc;\nimport static %1$s.raw.A.b;\n".formatted(suite));
    Path low =
        source("Low.java", "package %1$s.kit;\nimport %1$s.kit.pairs.QpPair;\n".formatted(suite));
    assertThat(SourceRules.chaptersThatUseEachOther(List.of(good, inner, outer, bad, low)))
        .containsExactly(
            outer + ": 'xrc' must not use 'xrc.more'",
            bad + ": 'xrc' must not use 'raw'",
            low + ": 'kit' must not use 'kit.pairs'");
  }

  @Test
  void thePageOnTestingNamesTheRoomsOfTheSuite() throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/internals/testing.md"));
    Path suite = Repository.root().resolve("tck/src/test/java/dev/verbena/tck");
    try (Stream<Path> rooms = Files.list(suite)) {
      assertThat(rooms.filter(Files::isDirectory))
          .isNotEmpty()
          .allSatisfy(room -> assertThat(page).contains("`" + room.getFileName() + "`"));
    }
  }

  /**
   * A room begins a line of a drawing, perhaps beside another one, or follows a dot or an arrow.
   */
  private static final Pattern DRAWN =
      Pattern.compile(
          "(?m)^ {4}[ │]*\\.?([a-z]+) {2,}(?:([a-z]+) {2,})?|(?:──► | \\.)([a-z]+) {2,}");

  @Test
  void theTourDrawsTheRoomsOfTheSoftwareDevice() throws IOException {
    String tour = Files.readString(Repository.root().resolve("ARCHITECTURE.md"));
    int start = tour.indexOf("## Inside the software device");
    String section = tour.substring(start, tour.indexOf("\n## ", start + 1));
    Set<String> drawn = new TreeSet<>();
    for (Matcher room = DRAWN.matcher(section); room.find(); ) {
      IntStream.rangeClosed(1, 3)
          .mapToObj(room::group)
          .filter(Objects::nonNull)
          .forEach(drawn::add);
    }
    Path device = Repository.root().resolve("soft/src/main/java/dev/verbena/soft");
    try (Stream<Path> files = Files.walk(device)) {
      Set<String> rooms =
          files
              .filter(file -> Files.isDirectory(file) && !file.equals(device))
              .map(file -> file.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(drawn).isEqualTo(rooms);
    }
  }

  @Test
  void noFileOfCIncludesItself() throws IOException {
    assertThat(SourceRules.includeCircles(shim())).isEmpty();
  }

  @Test
  void findsFilesOfCThatIncludeThemselves() throws IOException {
    Path qp = source("qp.c", "#include <errno.h>\n#include \"objects.h\"\n");
    Path objects = source("objects.h", "#include \"events.h\"\n");
    Path events = source("events.h", "# include \"objects.h\"\n");
    Path other = source("other/objects.h", "#include \"../qp.h\"\n");
    assertThat(SourceRules.includeCircles(List.of(qp, objects, events, other)))
        .containsExactly("events.h: includes itself", "objects.h: includes itself");
  }

  private Path source(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    return Files.writeString(file, text);
  }

  private static List<Path> mainSources() throws IOException {
    return notEmpty(Repository.sources("src/main", Repository.MODULES));
  }

  /** The C sources of the drop-in. */
  private static List<Path> shim() throws IOException {
    try (Stream<Path> files = Files.walk(Repository.root().resolve("dropin/src/main/c"))) {
      return notEmpty(files.filter(file -> file.toString().matches(".*\\.[ch]")).sorted().toList());
    }
  }

  private static List<Path> allSources() throws IOException {
    return notEmpty(Repository.sources("src", Repository.MODULES));
  }

  private static List<Path> notEmpty(List<Path> sources) {
    assertThat(sources).as("sources of the reactor").isNotEmpty();
    return sources;
  }
}
