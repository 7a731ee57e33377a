package dev.verbena.verbs.connect;

import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpType;

/**
 * A queue pair of the other end.
 *
 * @param type its transport service
 * @param endpoint what it takes to reach it; for datagrams, {@code AhAttr.to(endpoint)} leads there
 * @param qkey the Q_Key that datagrams to it must carry; 0 for other services
 */
public record RemoteQp(QpType type, QpEndpoint endpoint, int qkey) {}
