package dev.verbena.verbs;

/** The words for a provider's vendor_err numbers, which mean something to it alone. */
@FunctionalInterface
public interface VendorErrors {
  /** Of a completion that no provider has filled: no number has words. */
  VendorErrors NONE = number -> "";

  /**
   * Why a work request failed, for {@link WorkCompletion#vendorErrText()}.
   *
   * @return the words, as "no region has this key"; empty if the number has none
   */
  String text(int vendorErr);
}
