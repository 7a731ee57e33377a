package dev.verbena.tools.trace;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.wire.Psn;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The part of a capture to show: from one packet to another, by their numbers or their PSNs. */
final class Excerpt {
  private static final String PSN = "psn:";
  private static final Pattern FORM =
      Pattern.compile("(" + PSN + ")?(0|[1-9][0-9]{0,17}|0x[0-9a-fA-F]{1,15})");

  private final @Nullable Long from;
  private final @Nullable Long to;
  private final boolean byPsn;

  private Excerpt(@Nullable Long from, @Nullable Long to, boolean byPsn) {
    this.from = from;
    this.to = to;
    this.byPsn = byPsn;
  }

  /**
   * Reads {@code --from} and {@code --to}, each {@code NUMBER} or {@code psn:NUMBER}, or not given.
   *
   * @throws ToolException if they are not numbers, or of two kinds
   */
  static Excerpt of(@Nullable String from, @Nullable String to) {
    boolean fromPsn = from != null && from.startsWith(PSN);
    boolean toPsn = to != null && to.startsWith(PSN);
    if (from != null && to != null && fromPsn != toPsn) {
      throw ToolException.usage(
          "--from=" + from + " and --to=" + to + ": one is a packet number, the other a PSN");
    }
    return new Excerpt(number("--from", from), number("--to", to), fromPsn || toPsn);
  }

  private static @Nullable Long number(String option, @Nullable String text) {
    if (text == null) {
      return null;
    }
    if (!FORM.matcher(text).matches()) {
      throw wrong(option, text);
    }
    boolean isPsn = text.startsWith(PSN);
    long number = Long.decode(isPsn ? text.substring(PSN.length()) : text);
    if (isPsn && number > Psn.MASK) {
      throw wrong(option, text);
    }
    return number;
  }

  private static ToolException wrong(String option, String text) {
    return ToolException.usage(
        "%s=%s is neither a packet number nor psn:0 to psn:%d".formatted(option, text, Psn.MASK));
  }

  /** Whether it is only a part. */
  boolean isPart() {
    return from != null || to != null;
  }

  /** Such as {@code from psn:3 to psn:9}. */
  @Override
  public String toString() {
    String prefix = byPsn ? PSN : "";
    return (from == null ? "" : "from " + prefix + from)
        + (from == null || to == null ? "" : " ")
        + (to == null ? "" : "to " + prefix + to);
  }

  /** Whether a packet belongs to it. PSNs wrap around. */
  boolean has(TracedPacket packet) {
    if (byPsn) {
      return (from == null || Psn.compare(packet.psn(), from.intValue()) >= 0)
          && (to == null || Psn.compare(packet.psn(), to.intValue()) <= 0);
    }
    return (from == null || packet.number() >= from) && (to == null || packet.number() <= to);
  }
}
