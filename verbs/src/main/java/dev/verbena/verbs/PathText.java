package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and writes the text forms of paths. */
final class PathText {
  private static final String CLASS = "IBPath";
  private static final String DGID = "DGID";
  private static final String SGID = "SGID";
  private static final String DR_PATH = "drPath";

  private static final Pattern SPEC = Pattern.compile("\\s*" + CLASS + "\\((.*)\\)\\s*");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("\\s*(\\w+)\\s*=\\s*(?:'([^']*)'|([^',\\s]+))\\s*");
  private static final Pattern NUMBER = Pattern.compile("0[xX]([0-9A-Fa-f]{1,8})|([0-9]{1,10})");
  private static final Pattern ROUTE = Pattern.compile("(?:[0-9]{1,3},)+[0-9]{0,3}");

  /** More than any path's text has; a longer text is rejected unread. */
  private static final int MAX_LENGTH = 2048;

  static String format(IbPath path) {
    StringJoiner text = new StringJoiner(", ", CLASS + "(", ")");
    // A text without any attribute would be rejected.
    text.setEmptyValue(CLASS + "(DLID=0)");
    if (!path.dgid().isZero()) {
      text.add(DGID + "='" + path.dgid() + "'");
    }
    if (!path.sgid().isZero()) {
      text.add(SGID + "='" + path.sgid() + "'");
    }
    for (PathField field : PathField.values()) {
      int value = path.get(field);
      if (value != field.initial()) {
        text.add(field.key() + "=" + field.text(value));
      }
    }
    if (!path.drPath().isEmpty()) {
      StringJoiner route = new StringJoiner(",", "", ",");
      path.drPath().forEach(port -> route.add(port.toString()));
      text.add(DR_PATH + "='" + route + "'");
    }
    return text.toString();
  }

  static IbPath parseSpec(String text) {
    checkLength(text);
    Matcher spec = SPEC.matcher(text);
    if (!spec.matches()) {
      throw refused(text, "it is not of the form " + CLASS + "(NAME=VALUE, ...)");
    }
    String attributes = spec.group(1);
    IbPath.Builder path = IbPath.builder();
    Set<String> seen = new HashSet<>();
    Matcher attribute = ATTRIBUTE.matcher(attributes);
    int at = 0;
    do {
      attribute.region(at, attributes.length());
      if (!attribute.lookingAt()) {
        throw refused(
            text, "an attribute NAME=VALUE is missing at '" + attributes.substring(at) + "'");
      }
      String key = attribute.group(1);
      if (!seen.add(key)) {
        throw refused(text, "it gives " + key + " twice");
      }
      String quoted = attribute.group(2);
      set(path, text, key, quoted != null ? quoted : attribute.group(3));
      at = attribute.end();
      if (at < attributes.length() && attributes.charAt(at) != ',') {
        throw refused(text, "a comma is missing at '" + attributes.substring(at) + "'");
      }
      at++;
    } while (at <= attributes.length());
    return path.build();
  }

  private static void set(IbPath.Builder path, String text, String key, String value) {
    switch (key) {
      case DGID -> path.dgid(Gid.parse(value));
      case SGID -> path.sgid(Gid.parse(value));
      case DR_PATH -> path.drPath(route(text, value));
      default -> path.set(field(text, key), number(text, value));
    }
  }

  private static PathField field(String text, String key) {
    for (PathField field : PathField.values()) {
      if (field.key().equals(key)) {
        return field;
      }
    }
    throw refused(text, "a path has no attribute " + key);
  }

  private static long number(String text, String value) {
    Matcher number = NUMBER.matcher(value);
    if (!number.matches()) {
      throw refused(text, "'" + value + "' is not a number");
    }
    String hex = number.group(1);
    return hex != null ? Long.parseLong(hex, 16) : Long.parseLong(number.group(2));
  }

  private static List<Integer> route(String text, String value) {
    if (!ROUTE.matcher(value).matches()) {
      throw refused(text, "'" + value + "' is not a directed route such as 0,1,4");
    }
    List<Integer> ports = new ArrayList<>();
    for (String port : value.split(",")) {
      ports.add(Integer.parseInt(port));
    }
    return ports;
  }

  static IbPath parse(String text, EndPort endPort) {
    checkLength(text);
    if (text.indexOf('(') >= 0) {
      return parseSpec(text).withEndPort(endPort);
    }
    int percent = text.indexOf('%');
    if (percent >= 0) {
      Gid dgid = Gid.parse(text.substring(0, percent));
      return IbPath.builder(Rdma.getEndPort(text.substring(percent + 1))).dgid(dgid).build();
    }
    IbPath.Builder path = IbPath.builder(endPort);
    if (ROUTE.matcher(text).matches()) {
      return path.drPath(route(text, text))
          .slid(Iba.LID_PERMISSIVE)
          .dlid(Iba.LID_PERMISSIVE)
          .build();
    }
    if (Guid.looksLikeOne(text)) {
      long prefix = endPort.defaultGid().subnetPrefix();
      return path.dgid(new Gid(prefix, Guid.parse(text).value())).build();
    }
    if (Gid.looksLikeOne(text)) {
      return path.dgid(Gid.parse(text)).build();
    }
    return path.set(PathField.DLID, number(text, text)).build();
  }

  private static void checkLength(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new VerbsException(
          "ibPath",
          Errno.EINVAL,
          "a text of " + text.length() + " characters, a path has at most " + MAX_LENGTH);
    }
  }

  private static VerbsException refused(String text, String why) {
    return new VerbsException(
        "ibPath", Errno.EINVAL, "'" + text + "' does not name a path: " + why);
  }

  private PathText() {}
}
