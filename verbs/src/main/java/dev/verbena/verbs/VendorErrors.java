package dev.verbena.verbs;

/** Texts for a provider's vendor_err numbers, whose meaning is specific to the provider. */
@FunctionalInterface
public interface VendorErrors {
  /** For a completion that no provider has filled: no number has a text. */
  VendorErrors NONE = number -> "";

  /**
   * Why a work request failed, for {@link WorkCompletion#vendorErrText()}.
   *
   * @return the text, such as "no region has this key"; empty if the number has none
   */
  String text(int vendorErr);
}
