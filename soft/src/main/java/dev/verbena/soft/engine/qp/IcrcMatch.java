package dev.verbena.soft.engine.qp;

/** How the ICRC of a packet matches. */
public enum IcrcMatch {
  /** It is right for IP ID 0 and don't-fragment, or is not checked. */
  EXACT,
  /** It is right for another ID, or without don't-fragment. */
  OTHER_ID,
  /** It is right for a FLUSH as Linux computes it. */
  OF_RXE_FLUSH,
  /** It is wrong. */
  NONE
}
