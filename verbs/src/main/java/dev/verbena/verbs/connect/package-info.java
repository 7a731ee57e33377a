/**
 * Connections of queue pairs by TCP: {@link dev.verbena.verbs.connect.Connection#connect} at one
 * end, a {@link dev.verbena.verbs.connect.ConnectionListener} at the other. Names follow librdmacm
 * where it has the same.
 */
@NullMarked
package dev.verbena.verbs.connect;

import org.jspecify.annotations.NullMarked;
