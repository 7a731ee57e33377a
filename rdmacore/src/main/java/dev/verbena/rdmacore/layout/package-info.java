/** Layouts of libibverbs' structs. */
@org.jspecify.annotations.NullMarked
package dev.verbena.rdmacore.layout;
