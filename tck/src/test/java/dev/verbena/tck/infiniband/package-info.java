/** Devices on an InfiniBand subnet: LIDs, path bits, P_Keys, groups by MLID, and what changes. */
@NullMarked
package dev.verbena.tck.infiniband;

import org.jspecify.annotations.NullMarked;
