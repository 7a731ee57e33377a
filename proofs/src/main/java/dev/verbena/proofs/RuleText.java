package dev.verbena.proofs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts the words of a rule from the page with its anchor. */
final class RuleText {

  /** An ID that can be cited. */
  static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");

  private static final Pattern BLANK_LINES = Pattern.compile("\n\\s*\n");
  private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)\\s]+\\)");
  private static final Pattern MARKS = Pattern.compile("^(#+|-|>) |^>$|\\*\\*", Pattern.MULTILINE);
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private final String page;
  private final String id;
  private final int start;
  private final int end;

  private RuleText(String page, MatchResult anchor) {
    this.page = page;
    this.id = anchor.group(1);
    this.start = anchor.start();
    this.end = anchor.end();
  }

  /** The text at this anchor of the page, as one line without Markdown. */
  static String at(String page, MatchResult anchor) {
    RuleText rule = new RuleText(page, anchor);
    int line = page.lastIndexOf('\n', anchor.start()) + 1;
    return page.startsWith("|", line) ? rule.row(line) : rule.paragraphs();
  }

  /**
   * Everything up to the next anchor, the next heading or a table, including a section's own
   * heading.
   */
  private String paragraphs() {
    Matcher next = ANCHOR.matcher(page).region(end, page.length());
    String rest = page.substring(end, next.find() ? next.start() : page.length());
    StringBuilder text = new StringBuilder();
    for (String block : BLANK_LINES.split(rest.strip())) {
      if (block.startsWith("|") || (block.startsWith("#") && !text.isEmpty())) {
        break;
      }
      text.append(words(block)).append(block.startsWith("#") ? ". " : " ");
    }
    return text.toString().strip();
  }

  /**
   * The row of a table, with the column's name before each cell, after the text above the table. If
   * the anchor is not in the first cell, only the first cell and the anchor's own count.
   */
  private String row(int line) {
    int table = page.lastIndexOf("\n\n", line) + 2;
    List<String> columns = cells(table);
    List<String> cells = cells(line);
    int own = BAR.split(page.substring(line, start), -1).length - 2;
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      String words = words(cells.get(i));
      if (!words.isEmpty() && (own == 0 || i == 0 || own == i)) {
        parts.add(i == 0 ? words : words(columns.get(i)) + ": " + words);
      }
    }
    return lead(table) + String.join("; ", parts);
  }

  /** The paragraph above a table. */
  private String lead(int table) {
    String above = page.substring(0, table).stripTrailing();
    String block = above.substring(above.lastIndexOf("\n\n") + 1).strip();
    return block.startsWith("#") ? "" : words(block) + " ";
  }

  private List<String> cells(int line) {
    String row = page.substring(line + 1, page.indexOf('\n', line)).stripTrailing();
    return Arrays.asList(BAR.split(row));
  }

  private String words(String markdown) {
    String text = ANCHOR.matcher(markdown.strip()).replaceAll("");
    text = LINK.matcher(text).replaceAll("$1");
    text = SPACE.matcher(MARKS.matcher(text).replaceAll("")).replaceAll(" ").strip();
    return text.startsWith(id + " ")
        ? text.substring(id.length() + 1)
        : text.equals(id) ? "" : text;
  }
}
