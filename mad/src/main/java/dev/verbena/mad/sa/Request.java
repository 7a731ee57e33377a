package dev.verbena.mad.sa;

import dev.verbena.verbs.spi.MadSource;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadStatus;

/**
 * A request to the subnet administrator.
 *
 * @param query the attribute, with the component mask of the request
 * @param isTable whether all records are requested, or one
 */
record Request(Subnet subnet, MadSource source, Attribute query, boolean isTable) {
  /** Whether the request names the whole field. */
  boolean names(Field field) {
    long mask = query.format().place(field).mask();
    return (query.components() & mask) == mask;
  }

  /**
   * Requires that the request names these fields.
   *
   * @throws SaStatusException if it does not name one of them
   */
  void require(Field... fields) throws SaStatusException {
    for (Field field : fields) {
      if (!names(field)) {
        throw new SaStatusException(MadStatus.SA_INSUFFICIENT_COMPONENTS);
      }
    }
  }

  /**
   * The port that sent the request, if it has this GUID.
   *
   * @throws SaStatusException if it has another: a port cannot act for others
   */
  SubnetPort sender(long portGuid) throws SaStatusException {
    for (SubnetPort port : subnet.ports()) {
      if (port.portGuid() == portGuid) {
        if (port.hasLid(source.lid())) {
          return port;
        }
        throw new SaStatusException(MadStatus.SA_DENIED);
      }
    }
    throw new SaStatusException(MadStatus.SA_INVALID_GID);
  }
}
