package dev.verbena.soft.device.object;

import dev.verbena.soft.engine.qp.DatagramRoute;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.Destination;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.util.List;

/** An address handle of the software device. */
public final class SoftAddressHandle extends PdObject implements AddressHandle, Lifetime.Ending {
  private final AhAttr attr;
  private final DatagramRoute route;
  private final Lifetime lifetime;

  private SoftAddressHandle(OpenDomain pd, AhAttr attr) {
    super(pd);
    this.attr = attr;
    this.route = new DatagramRoute(pd.openContext().port().route(attr));
    this.lifetime = pd.lifetime().child(Kind.AH, pd.openContext().nextNumber(), this);
  }

  public static SoftAddressHandle create(OpenDomain pd, AhAttr attr) {
    pd.lifetime().require("createAh");
    pd.openContext().port().checkAddress("createAh", attr);
    SoftAddressHandle ah = new SoftAddressHandle(pd, attr);
    ah.lifetime.begin("createAh", List.of());
    return ah;
  }

  /**
   * The destination of datagrams that name this handle. They keep it, because the handle may be
   * destroyed meanwhile.
   */
  public Destination destination() {
    return route;
  }

  /** Its protection domain, which must be that of the queue pairs that use it. */
  public Domain domain() {
    return openPd().domain();
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public AhAttr attr() {
    lifetime.require("attr");
    return attr;
  }

  @Override
  public Runnable release() {
    return Lifetime.NOTHING;
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
