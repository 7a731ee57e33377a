package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Determines which C files need which others, by the symbols that they define and use: the includes
 * would say less, because a header may declare symbols of any file.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the library is built on Linux only")
final class CFilesTest {
  private static final Path SOURCES = Path.of("src", "main", "c");

  @TempDir Path objects;

  @ParameterizedTest
  @ValueSource(strings = {"", "files"})
  void noFileIsNeededByOneThatItNeeds(String folder) throws Exception {
    assertThat(circles(needs(SOURCES.resolve(folder)))).isEmpty();
  }

  @Test
  void aCircleIsFound() throws Exception {
    Path folder = Files.createDirectory(objects.resolve("circle"));
    write(folder, "one", "void verbena_two(void); void verbena_one(void) { verbena_two(); }");
    write(folder, "two", "extern int verbena_more; void verbena_two(void) { verbena_more++; }");
    write(
        folder,
        "three",
        "void verbena_one(void); int verbena_more; void f(void) { verbena_one(); }");
    write(folder, "user", "void verbena_one(void); void g(void) { verbena_one(); }");
    write(folder, "used", "int verbena_used;");

    assertThat(circles(needs(folder)))
        .isEqualTo(Map.of("one", Set.of("two"), "two", Set.of("three"), "three", Set.of("one")));
  }

  private static void write(Path folder, String name, String text) throws IOException {
    Files.writeString(folder.resolve(name + ".c"), text);
  }

  /** For each C file of the folder, the other files that define symbols it uses. */
  private Map<String, Set<String>> needs(Path folder) throws IOException, InterruptedException {
    Map<String, String> owners = new HashMap<>();
    Map<String, Set<String>> wants = new TreeMap<>();
    try (DirectoryStream<Path> sources = Files.newDirectoryStream(folder, "*.c")) {
      for (Path source : sources) {
        String name = source.getFileName().toString().replace(".c", "");
        wants.put(name, new TreeSet<>());
        for (String line : symbols(source).lines().toList()) {
          String[] symbol = line.split(" ");
          String plain = symbol[0].replaceFirst("@.*", "");
          if (symbol[1].equalsIgnoreCase("U")) {
            wants.get(name).add(plain);
          } else {
            owners.put(plain, name);
          }
        }
      }
    }
    Map<String, Set<String>> needs = new TreeMap<>();
    for (Map.Entry<String, Set<String>> file : wants.entrySet()) {
      Set<String> others = new TreeSet<>();
      file.getValue().stream().filter(owners::containsKey).map(owners::get).forEach(others::add);
      others.remove(file.getKey());
      needs.put(file.getKey(), others);
    }
    return needs;
  }

  /** The output of nm for the compiled file: a name and its kind on each line. */
  private String symbols(Path source) throws IOException, InterruptedException {
    Path object = objects.resolve(source.getFileName() + ".o");
    Path java = Path.of(System.getProperty("java.home"), "include");
    List<String> command = new ArrayList<>(List.of("cc", "-c", "-std=gnu11", "-pthread", "-fPIC"));
    for (Path headers : List.of(NativeLibrary.folder(), java, java.resolve("linux"))) {
      command.addAll(List.of("-I", headers.toString()));
    }
    command.addAll(List.of("-o", object.toString(), source.toString()));
    output(command);
    return output(List.of("nm", "-g", "-P", object.toString()));
  }

  /**
   * The files that remain after repeatedly removing those that need no other and those that no
   * other needs.
   */
  private static Map<String, Set<String>> circles(Map<String, Set<String>> needs) {
    Map<String, Set<String>> left = new TreeMap<>(needs);
    boolean changed = true;
    while (changed) {
      left.values().forEach(others -> others.retainAll(left.keySet()));
      Set<String> needed = new TreeSet<>();
      left.values().forEach(needed::addAll);
      changed = left.values().removeIf(Set::isEmpty);
      changed |= left.keySet().retainAll(needed);
    }
    return left;
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text;
    try (InputStream out = process.getInputStream()) {
      text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(process.waitFor()).as("%s: %s", String.join(" ", command), text).isZero();
    return text;
  }
}
