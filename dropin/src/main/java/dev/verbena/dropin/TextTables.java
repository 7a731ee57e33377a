package dev.verbena.dropin;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.Numbered;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Writes the enums' texts as C source, for the functions that need no JVM. Run by the build. */
final class TextTables {
  /**
   * Writes the header.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException {
    StringBuilder header = new StringBuilder("/* Made by TextTables of the Java enums. */\n");
    table(header, "WC_STATUS", WcStatus.values(), each -> quoted(each.str()));
    table(header, "EVENT_TYPE", EventType.values(), each -> quoted(each.str()));
    table(header, "NODE_TYPE", NodeType.values(), each -> quoted(each.str()));
    table(header, "PORT_STATE", PortState.values(), each -> quoted(each.str()));
    table(header, "WR_OPCODE", WrOpcode.values(), each -> quoted(each.str()));
    table(header, "RATE", Rate.values(), each -> each.toMult() + ", " + each.toMbps());
    counters(header);
    Files.writeString(Path.of(arguments[0]), header);
  }

  private static <E extends Numbered> void table(
      StringBuilder header, String name, E[] constants, Function<E, String> columns) {
    header.append("#define ").append(name).append("(X)");
    for (E each : constants) {
      header.append(" \\\n\tX(").append(each.number()).append(", ");
      header.append(columns.apply(each)).append(')');
    }
    header.append('\n');
  }

  private static void counters(StringBuilder header) {
    header.append("#define COUNTER(X)");
    for (Counter each : Counter.values()) {
      header.append(" \\\n\tX(").append(each.key()).append(')');
    }
    header.append('\n');
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private TextTables() {}
}
