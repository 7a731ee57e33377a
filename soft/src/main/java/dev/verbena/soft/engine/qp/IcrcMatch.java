package dev.verbena.soft.engine.qp;

/** How the ICRC of a packet fits. */
public enum IcrcMatch {
  /** It is right for IP ID 0 and don't-fragment, or was not to be checked. */
  EXACT,
  /** It is right for another ID, or without don't-fragment. */
  OTHER_ID,
  /** It is right for a FLUSH as Linux computes it. */
  OF_RXE_FLUSH,
  /** It is wrong. */
  NONE
}
