package dev.verbena.interop.sides;

import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import java.util.OptionalInt;

/**
 * A work completion of either side.
 *
 * @param opcode like the rest, valid only with status SUCCESS
 * @param imm immediate data, if there is some
 * @param invalidated key that the message invalidated, if it did
 * @param hasGrh whether a global route header lies before the data
 * @param srcQp the sender's number, of datagrams
 */
public record Completion(
    long wrId,
    WcStatus status,
    WcOpcode opcode,
    long byteLen,
    OptionalInt imm,
    OptionalInt invalidated,
    boolean hasGrh,
    int srcQp) {}
