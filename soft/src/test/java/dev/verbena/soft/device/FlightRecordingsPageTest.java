package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** Checks that docs/flight-recordings.md lists every event with its fields. */
class FlightRecordingsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "flight-recordings.md");
  private static final Path CLASSES = Path.of("target", "classes");
  private static final Pattern EVENT_ROW =
      Pattern.compile("\\| `(dev\\.verbena\\.\\w+)` \\| (.*?) \\| .* \\|");
  private static final Pattern FIELD_ROW = Pattern.compile("\\| (`\\w+`(?:, `\\w+`)*) \\| .* \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  /** The fields that every event of the recorder has. */
  private static final Set<String> COMMON =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  @Test
  void eachEventStandsThereWithItsFields() throws IOException {
    Map<String, Set<String>> described = new TreeMap<>();
    for (Matcher row : rows(EVENT_ROW)) {
      described.put(row.group(1), names(row.group(2)));
    }
    Map<String, Set<String>> events = new TreeMap<>();
    events().forEach(event -> events.put(event.getName(), fields(event)));
    assertThat(described).isEqualTo(events);
  }

  @Test
  void eachFieldIsExplained() throws IOException {
    Set<String> explained = new TreeSet<>();
    for (Matcher row : rows(FIELD_ROW)) {
      explained.addAll(names(row.group(1)));
    }
    Set<String> all = new TreeSet<>();
    events().forEach(event -> all.addAll(fields(event)));
    assertThat(explained).isEqualTo(all);
  }

  private static List<Matcher> rows(Pattern row) throws IOException {
    return Files.readAllLines(PAGE).stream().map(row::matcher).filter(Matcher::matches).toList();
  }

  private static Set<String> names(String cell) {
    return NAME.matcher(cell)
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> fields(EventType event) {
    return event.getFields().stream()
        .map(ValueDescriptor::getName)
        .filter(name -> !COMMON.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The types of all event classes. */
  private static List<EventType> events() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      List<EventType> events =
          files
              .map(file -> CLASSES.relativize(file).toString())
              .filter(name -> name.endsWith("Event.class"))
              .map(name -> name.replace(".class", "").replace('/', '.'))
              .map(FlightRecordingsPageTest::load)
              .filter(type -> Event.class.isAssignableFrom(type))
              .filter(type -> !Modifier.isAbstract(type.getModifiers()))
              .map(type -> EventType.getEventType(type.asSubclass(Event.class)))
              .toList();
      assertThat(events).as(Arrays.toString(CLASSES.toFile().list())).isNotEmpty();
      return events;
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }
}
