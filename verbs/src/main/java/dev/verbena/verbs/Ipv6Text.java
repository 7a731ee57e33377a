package dev.verbena.verbs;

/**
 * IPv6 addresses as inet_ntop writes them: lower case, the longest run of two or more zero groups
 * as "::".
 */
final class Ipv6Text {
  private static final int GROUPS = 8;

  static String format(long hi, long lo) {
    int runStart = -1;
    int runLength = 1;
    for (int start = 0; start < GROUPS; start++) {
      int end = start;
      while (end < GROUPS && group(hi, lo, end) == 0) {
        end++;
      }
      if (end - start > runLength) {
        runStart = start;
        runLength = end - start;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == runStart) {
        text.append("::");
        i += runLength - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(hi, lo, i)));
      }
    }
    return text.toString();
  }

  private static int group(long hi, long lo, int index) {
    return (int) ((index < 4 ? hi : lo) >>> ((3 - index % 4) * 16)) & 0xffff;
  }

  private Ipv6Text() {}
}
