package dev.verbena.verbs;

/** The words for a provider's vendor_err numbers, whose meaning is its own. */
@FunctionalInterface
public interface VendorErrors {
  /** Of a completion that no provider has filled: no number has words. */
  VendorErrors NONE = number -> "";

  /**
   * Why a work request failed, for {@link WorkCompletion#vendorErrText()}.
   *
   * @return the words, such as "no region has this key"; empty if the number has none
   */
  String text(int vendorErr);
}
