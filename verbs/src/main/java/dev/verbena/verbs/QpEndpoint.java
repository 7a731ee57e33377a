package dev.verbena.verbs;

/**
 * The data needed to reach a queue pair, which the two sides of a connection exchange.
 *
 * @param qpNum queue pair number
 * @param psn first packet sequence number that it sends, 24 bits
 * @param gid its GID
 * @param gidIndex index of that GID in its own port's table
 * @param mtu largest path MTU it can use
 * @param lid LID of its port on InfiniBand; 0 on Ethernet
 */
public record QpEndpoint(int qpNum, int psn, Gid gid, int gidIndex, Mtu mtu, int lid) {
  /** An endpoint on Ethernet. */
  public QpEndpoint(int qpNum, int psn, Gid gid, int gidIndex, Mtu mtu) {
    this(qpNum, psn, gid, gidIndex, mtu, 0);
  }

  @Override
  public String toString() {
    return FieldText.of("qp_endpoint", this, "qpNum");
  }
}
