/**
 * Layouts of the structs of libibverbs in rdma-core 44, on 64-bit computers (8-byte pointers and
 * longs): one class per struct, whose constants are the offsets of its members in bytes. They are
 * the same on every such computer, and are built into any program compiled with the headers of 44.
 *
 * <p>Later releases keep these offsets, and only add members at one end of structs ({@link
 * dev.verbena.rdmacore.layout.StructLayout#growth()}) and new structs. A new struct becomes a new
 * class here, listed in {@link dev.verbena.rdmacore.layout.Layouts#all()}; a test compiles all of
 * them as assertions with the installed headers. Because offsets are constants, a release with
 * other offsets, or a 32-bit computer, needs a package of its own beside this one with the classes
 * that differ; the code that uses them then chooses by the library that it loads.
 */
@NullMarked
package dev.verbena.rdmacore.layout;

import org.jspecify.annotations.NullMarked;
