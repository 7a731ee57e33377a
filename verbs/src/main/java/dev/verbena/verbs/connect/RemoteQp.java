package dev.verbena.verbs.connect;

import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpType;

/**
 * A queue pair of the other end. A datagram to it needs three values:
 *
 * {@snippet :
 * wr.ah(pd.createAh(AhAttr.to(remote.endpoint()))) // once for all datagrams
 *     .remoteQpn(remote.endpoint().qpNum())
 *     .remoteQkey(remote.qkey());
 * }
 *
 * <p>If this end's GID has another index than 0 ({@link ConnParam#gidIndex}), as on adapters, the
 * address needs it, too: {@code AhAttr.to(remote.endpoint()).withSgidIndex(index)}.
 *
 * @param type its transport service
 * @param endpoint what it takes to reach it; for datagrams, {@code AhAttr.to(endpoint)} leads there
 * @param qkey the Q_Key that datagrams to it must carry; 0 for other services
 */
public record RemoteQp(QpType type, QpEndpoint endpoint, int qkey) {}
