package dev.verbena.verbs;

/** Linux error numbers (errno.h), which the verbs use on every platform. */
public final class Errno {
  /** Operation not permitted. */
  public static final int EPERM = 1;

  /** No such file or directory. */
  public static final int ENOENT = 2;

  /** Interrupted system call. */
  public static final int EINTR = 4;

  /** Input/output error. */
  public static final int EIO = 5;

  /** Bad file descriptor. */
  public static final int EBADF = 9;

  /** Resource temporarily unavailable. */
  public static final int EAGAIN = 11;

  /** Cannot allocate memory. */
  public static final int ENOMEM = 12;

  /** Permission denied. */
  public static final int EACCES = 13;

  /** Bad address. */
  public static final int EFAULT = 14;

  /** Device or resource busy. */
  public static final int EBUSY = 16;

  /** File exists. */
  public static final int EEXIST = 17;

  /** No such device. */
  public static final int ENODEV = 19;

  /** Invalid argument. */
  public static final int EINVAL = 22;

  /** Too many open files in system. */
  public static final int ENFILE = 23;

  /** Too many open files. */
  public static final int EMFILE = 24;

  /** No space left on device. */
  public static final int ENOSPC = 28;

  /** Function not implemented. */
  public static final int ENOSYS = 38;

  /** No data available. */
  public static final int ENODATA = 61;

  /** Protocol error. */
  public static final int EPROTO = 71;

  /** Message too long. */
  public static final int EMSGSIZE = 90;

  /** Protocol not supported. */
  public static final int EPROTONOSUPPORT = 93;

  /** Operation not supported. */
  public static final int EOPNOTSUPP = 95;

  /** Address family not supported by protocol. */
  public static final int EAFNOSUPPORT = 97;

  /** Address already in use. */
  public static final int EADDRINUSE = 98;

  /** Cannot assign requested address. */
  public static final int EADDRNOTAVAIL = 99;

  /** Network is down. */
  public static final int ENETDOWN = 100;

  /** Network is unreachable. */
  public static final int ENETUNREACH = 101;

  /** Connection refused. */
  public static final int ECONNREFUSED = 111;

  /** Operation canceled. */
  public static final int ECANCELED = 125;

  /** Connection timed out. */
  public static final int ETIMEDOUT = 110;

  /** No route to host. */
  public static final int EHOSTUNREACH = 113;

  /** The name, such as "EINVAL"; "errno N" for a number that Linux does not have. */
  public static String name(int errno) {
    ErrnoTexts.Entry entry = ErrnoTexts.find(errno);
    return entry == null ? "errno " + errno : entry.name();
  }

  /** As strerror: "Invalid argument"; "Unknown error N" for a number that Linux does not have. */
  public static String strerror(int errno) {
    ErrnoTexts.Entry entry = ErrnoTexts.find(errno);
    return entry == null ? "Unknown error " + errno : entry.text();
  }

  private Errno() {}
}
