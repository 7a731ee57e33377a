package dev.verbena.tck.torture.crowd;

/** What happens to a member of a crowd while all of them are busy. */
enum Chaos {
  /** It is killed, and after a while started again with the same address. */
  KILL,
  /** It is stopped, and continued before its peers give it up. */
  STOP,
  /** It closes its device, and opens it again. */
  DEVICE,
  /** Its heap is full for a while. */
  HEAP,
  /** The system grants it hardly more memory for a while. */
  NATIVE,
  /** It has no descriptors left for a while. */
  DESCRIPTORS
}
