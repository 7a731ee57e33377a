package dev.verbena.soft.sim;

/** A datagram to one of several queue pairs. */
final class DatagramOp extends SendOp {
  private static final int GRH = 40;

  private final UdEndpoint destination;

  DatagramOp(long wrId, boolean withImm, Payload payload, UdEndpoint destination) {
    super(wrId, withImm, payload);
    this.destination = destination;
  }

  UdEndpoint destination() {
    return destination;
  }

  @Override
  int headroom() {
    return GRH;
  }
}
