package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.WrOpcode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What goes between two processes, all that fits in flight.
 *
 * @param opcode RDMA_WRITE, RDMA_READ or SEND
 * @param bytes of each message
 * @param queuePairs that send at the same time
 * @param list messages of one post, of which the last is signaled
 * @param lists posts that a queue pair may have outstanding
 */
record LinkTraffic(WrOpcode opcode, int bytes, int queuePairs, int list, int lists) {
  private static final String SEPARATOR = ",";
  private static final Pattern FORM =
      Pattern.compile("(SEND|RDMA_READ|RDMA_WRITE)(,[1-9][0-9]{0,7}){4}");

  /** Of what {@link #text} has written. */
  static LinkTraffic of(String text) {
    if (!FORM.matcher(text).matches()) {
      throw ToolException.usage("--traffic=" + text + " is not OPCODE,BYTES,QPS,LIST,LISTS");
    }
    List<String> parts = List.of(text.split(SEPARATOR, -1));
    return new LinkTraffic(
        WrOpcode.valueOf(parts.get(0)),
        Integer.parseInt(parts.get(1)),
        Integer.parseInt(parts.get(2)),
        Integer.parseInt(parts.get(3)),
        Integer.parseInt(parts.get(4)));
  }

  /** For {@link #of}. */
  String text() {
    return String.join(
        SEPARATOR, opcode.name(), "" + bytes, "" + queuePairs, "" + list, "" + lists);
  }

  /** Messages that may be outstanding on one queue pair. */
  int depth() {
    return list * lists;
  }
}
