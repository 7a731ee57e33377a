package dev.verbena.soft.device.post;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.WorkRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Why a work request cannot be posted; created only in that case.
 *
 * @param errno error number
 * @param detail value and limit
 */
public record Refusal(int errno, String detail) {
  public static Refusal invalid(String detail) {
    return new Refusal(Errno.EINVAL, detail);
  }

  static Refusal unsupported(String detail) {
    return new Refusal(Errno.EOPNOTSUPP, detail);
  }

  static Refusal full(String detail) {
    return new Refusal(Errno.ENOMEM, detail);
  }

  WorkRequestException toException(
      String function, String object, @Nullable Object badWr, int index) {
    return new WorkRequestException(function, errno, object, detail, badWr, index);
  }
}
