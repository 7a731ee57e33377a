package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.WrOpcode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The traffic between two processes.
 *
 * @param opcode RDMA_WRITE, RDMA_READ or SEND
 * @param bytes of each message
 * @param queuePairs that send: all the time, or in turn if there are more than posts
 * @param list messages of one post, of which the last is signaled
 * @param posts how many are outstanding on all queue pairs together
 */
record LinkTraffic(WrOpcode opcode, int bytes, int queuePairs, int list, int posts) {
  private static final String SEPARATOR = ",";
  private static final Pattern FORM =
      Pattern.compile("(SEND|RDMA_READ|RDMA_WRITE)(,[1-9][0-9]{0,7}){4}");

  /** Parses the result of {@link #text}. */
  static LinkTraffic of(String text) {
    if (!FORM.matcher(text).matches()) {
      throw ToolException.usage("--traffic=" + text + " is not OPCODE,BYTES,QPS,LIST,POSTS");
    }
    List<String> parts = List.of(text.split(SEPARATOR, -1));
    return new LinkTraffic(
        WrOpcode.valueOf(parts.get(0)),
        Integer.parseInt(parts.get(1)),
        Integer.parseInt(parts.get(2)),
        Integer.parseInt(parts.get(3)),
        Integer.parseInt(parts.get(4)));
  }

  /** The text for {@link #of}. */
  String text() {
    return String.join(
        SEPARATOR, opcode.name(), "" + bytes, "" + queuePairs, "" + list, "" + posts);
  }

  /** The most messages outstanding on one queue pair: all of them, if one is slow. */
  int depth() {
    return list * (inTurn() ? posts : Math.ceilDiv(posts, queuePairs));
  }

  /** The queue pair that posts next, once this one's post has completed. */
  int after(int queuePair) {
    return inTurn() ? (queuePair + posts) % queuePairs : queuePair;
  }

  /** The number of posts after which all entries of all send queues have been used. */
  long firstUses() {
    return inTurn() ? 2L * depth() * queuePairs : 0;
  }

  private boolean inTurn() {
    return queuePairs > posts;
  }
}
