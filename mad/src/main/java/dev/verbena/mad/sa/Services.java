package dev.verbena.mad.sa;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ServiceRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The services that ports of a subnet offer, each identified by ServiceID, ServiceGID and
 * ServiceP_Key. A port can offer and withdraw only its own services. A record is removed when its
 * lease ends. The key of a service is needed to change it, and is never returned.
 */
final class Services {
  /** Maximum number of services. */
  static final int LIMIT = 4096;

  private static final long IDENTITY =
      ServiceRecord.SERVICE_ID.mask()
          | ServiceRecord.SERVICE_GID.mask()
          | ServiceRecord.SERVICE_PKEY.mask();

  private final List<Service> services = new ArrayList<>();

  /**
   * A service.
   *
   * @param end when its lease ends, in nanoseconds of the administrator's clock
   */
  private record Service(Attribute record, long portGuid, long end) {
    /** The record with the remaining lease in seconds, 0 if it has ended. */
    Attribute shown(long now) {
      Attribute shown = record.copy().set(ServiceRecord.SERVICE_KEY, new byte[0]);
      if (end != Long.MAX_VALUE) {
        shown.set(ServiceRecord.SERVICE_LEASE, TimeUnit.NANOSECONDS.toSeconds(end - now));
      }
      return shown;
    }
  }

  /** The requested records. */
  List<Attribute> find(Request request, long now) {
    expire(now);
    long mask = request.query().components() & ~ServiceRecord.SERVICE_LEASE.mask();
    List<Attribute> found = new ArrayList<>();
    for (Service service : services) {
      if (service.record().matches(request.query(), mask)) {
        found.add(service.shown(now));
      }
    }
    return found;
  }

  private void expire(long now) {
    services.removeIf(service -> service.end() <= now);
  }

  /**
   * Adds a service, or changes an existing one.
   *
   * @throws SaStatusException if the request is refused
   */
  Attribute offer(Request request, long now) throws SaStatusException {
    expire(now);
    Attribute query = request.query();
    SubnetPort port = owner(request);
    removeSame(query);
    if (services.size() >= LIMIT) {
      throw new SaStatusException(MadStatus.SA_NO_RESOURCES);
    }
    boolean forEver =
        !request.names(ServiceRecord.SERVICE_LEASE)
            || query.getInt(ServiceRecord.SERVICE_LEASE) == ServiceRecord.FOR_EVER;
    long seconds = query.get(ServiceRecord.SERVICE_LEASE);
    long end = forEver ? Long.MAX_VALUE : now + TimeUnit.SECONDS.toNanos(seconds);
    Attribute record = query.copy();
    if (forEver) {
      record.set(ServiceRecord.SERVICE_LEASE, ServiceRecord.FOR_EVER);
    }
    Service service = new Service(record, port.portGuid(), end);
    services.add(service);
    return service.shown(now);
  }

  /**
   * Removes a service.
   *
   * @throws SaStatusException if there is none
   */
  Attribute withdraw(Request request, long now) throws SaStatusException {
    expire(now);
    owner(request);
    if (!removeSame(request.query())) {
      throw new SaStatusException(MadStatus.SA_NO_RECORDS);
    }
    return request.query().copy();
  }

  /** The requesting port, which must be the port of the service. */
  private static SubnetPort owner(Request request) throws SaStatusException {
    request.require(
        ServiceRecord.SERVICE_ID, ServiceRecord.SERVICE_GID, ServiceRecord.SERVICE_PKEY);
    byte[] gid = request.query().getBytes(ServiceRecord.SERVICE_GID);
    return request.sender(Gid.ofBytes(gid).interfaceId());
  }

  private boolean removeSame(Attribute query) throws SaStatusException {
    for (Service service : services) {
      if (service.record().matches(query, IDENTITY)) {
        if (!sameKey(service.record(), query)) {
          throw new SaStatusException(MadStatus.SA_DENIED);
        }
        return services.remove(service);
      }
    }
    return false;
  }

  private static boolean sameKey(Attribute record, Attribute query) {
    Field key = ServiceRecord.SERVICE_KEY;
    return Arrays.equals(record.getBytes(key), query.getBytes(key));
  }

  /** Removes the services of a port that has left the subnet. */
  void portLeft(long portGuid) {
    services.removeIf(service -> service.portGuid() == portGuid);
  }
}
