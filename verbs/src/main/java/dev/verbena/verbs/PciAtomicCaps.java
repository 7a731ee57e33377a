package dev.verbena.verbs;

/**
 * Which atomics of a device are atomic with respect to the processor's as well (struct
 * ibv_pci_atomic_caps; ibv_query_device_ex(3)): of each operation bit 0 for 4 bytes, bit 1 for 8,
 * bit 2 for 16.
 *
 * @param fetchAdd of fetch-and-add
 * @param swap of an unconditional swap, which verbs do not have
 * @param compareSwap of compare-and-swap
 */
public record PciAtomicCaps(int fetchAdd, int swap, int compareSwap) {}
