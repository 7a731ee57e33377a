package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;

/** Begins and ends batches of the extended posting API; {@link WrCalls} fill them. */
final class BatchCalls {
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
      binding.batch().wrAbort();
      return -refusal;
    }
    binding.batch().wrComplete();
    return 0;
  }

  static long wrAbort(long handle) {
    QpBinding.get(handle).batch().wrAbort();
    return 0;
  }

  private BatchCalls() {}
}
