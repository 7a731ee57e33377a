package dev.verbena.dropin.object;

import dev.verbena.verbs.Context;

/**
 * A context of the program.
 *
 * @param context the device's
 * @param struct address of the struct ibv_context
 */
public record ContextBinding(Context context, long struct) {}
