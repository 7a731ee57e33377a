package dev.verbena.requirements;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the module's tab-separated tables: a heading line, then rows of as many cells. */
final class Table {

  private Table() {}

  /** Reads a table that is a resource of this package. */
  static List<List<String>> resource(String name) {
    try (InputStream in = Table.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no such table: " + name);
      }
      return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  /** Splits a table's text into the cells of its rows, without the heading. */
  static List<List<String>> parse(String name, String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(name + ": no heading line");
    }
    int width = lines.getFirst().split("\t", -1).length;
    List<List<String>> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      List<String> cells = List.of(lines.get(i).split("\t", -1));
      if (cells.size() != width) {
        throw new IllegalArgumentException(
            "%s, line %d: %d cells, the heading has %d"
                .formatted(name, i + 1, cells.size(), width));
      }
      rows.add(cells);
    }
    return rows;
  }
}
