package dev.verbena.dropin;

import dev.verbena.verbs.Context;

/**
 * A context of the program.
 *
 * @param context the device's
 * @param struct address of the struct ibv_context
 */
record ContextBinding(Context context, long struct) {}
