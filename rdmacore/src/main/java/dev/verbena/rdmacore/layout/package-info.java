/**
 * Layouts of the structs of libibverbs in rdma-core 44, on 64-bit computers (8-byte pointers and
 * longs): one class per struct, whose constants are the offsets of its members in bytes. They are
 * the same on every such computer, and a program compiled with the headers of 44 has them built in.
 *
 * <p>Later releases keep to them, but for what they add: at the end of structs ({@link
 * dev.verbena.rdmacore.layout.StructLayout#canGrow()}), and as structs. A new struct is a new class
 * here, listed in {@link dev.verbena.rdmacore.layout.Layouts#all()}; a test compiles all of them as
 * assertions with the headers that are installed. A release in which a member lies elsewhere, or a
 * computer of 32 bits, needs a package of its own beside this one, with the classes that differ,
 * since offsets are constants; and whoever uses them then chooses by the library that it loads.
 */
@NullMarked
package dev.verbena.rdmacore.layout;

import org.jspecify.annotations.NullMarked;
