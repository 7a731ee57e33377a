package dev.verbena.dropin;

/** Where a region of the extended posting API begins and ends; {@link WrCalls} fill it. */
final class RegionCalls {
  static long wrStart(long handle) {
    QpBinding binding = QpBinding.get(handle);
    binding.extended().wrStart();
    binding.takeRefusal();
    return 0;
  }

  static long wrComplete(long handle) {
    QpBinding binding = QpBinding.get(handle);
    int refusal = binding.takeRefusal();
    if (refusal != 0) {
      binding.region().wrAbort();
      return -refusal;
    }
    binding.region().wrComplete();
    return 0;
  }

  static long wrAbort(long handle) {
    QpBinding.get(handle).region().wrAbort();
    return 0;
  }

  private RegionCalls() {}
}
