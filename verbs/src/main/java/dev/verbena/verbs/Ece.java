package dev.verbena.verbs;

/**
 * Enhanced connection establishment options (struct ibv_ece).
 *
 * @param vendorId who defines the options
 * @param options the vendor's bits
 */
public record Ece(int vendorId, int options) {}
