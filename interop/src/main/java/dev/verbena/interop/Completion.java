package dev.verbena.interop;

import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;

/**
 * A work completion of either side.
 *
 * @param opcode as the rest, valid with status SUCCESS only
 * @param imm immediate data, 0 without
 */
record Completion(
    long wrId, WcStatus status, WcOpcode opcode, long byteLen, boolean hasImm, int imm) {}
