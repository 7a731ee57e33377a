package dev.verbena.verbs;

import java.util.Map;

/** Linux error numbers as the verbs return them (errno.h), on every platform the same. */
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

  private record Text(String name, String message) {}

  private static final Map<Integer, Text> TEXTS =
      Map.ofEntries(
          Map.entry(EPERM, new Text("EPERM", "Operation not permitted")),
          Map.entry(ENOENT, new Text("ENOENT", "No such file or directory")),
          Map.entry(EINTR, new Text("EINTR", "Interrupted system call")),
          Map.entry(EIO, new Text("EIO", "Input/output error")),
          Map.entry(EBADF, new Text("EBADF", "Bad file descriptor")),
          Map.entry(EAGAIN, new Text("EAGAIN", "Resource temporarily unavailable")),
          Map.entry(ENOMEM, new Text("ENOMEM", "Cannot allocate memory")),
          Map.entry(EACCES, new Text("EACCES", "Permission denied")),
          Map.entry(EFAULT, new Text("EFAULT", "Bad address")),
          Map.entry(EBUSY, new Text("EBUSY", "Device or resource busy")),
          Map.entry(EEXIST, new Text("EEXIST", "File exists")),
          Map.entry(ENODEV, new Text("ENODEV", "No such device")),
          Map.entry(EINVAL, new Text("EINVAL", "Invalid argument")),
          Map.entry(ENOSPC, new Text("ENOSPC", "No space left on device")),
          Map.entry(ENOSYS, new Text("ENOSYS", "Function not implemented")),
          Map.entry(ENODATA, new Text("ENODATA", "No data available")),
          Map.entry(EPROTO, new Text("EPROTO", "Protocol error")),
          Map.entry(EMSGSIZE, new Text("EMSGSIZE", "Message too long")),
          Map.entry(EPROTONOSUPPORT, new Text("EPROTONOSUPPORT", "Protocol not supported")),
          Map.entry(EOPNOTSUPP, new Text("EOPNOTSUPP", "Operation not supported")),
          Map.entry(
              EAFNOSUPPORT, new Text("EAFNOSUPPORT", "Address family not supported by protocol")),
          Map.entry(EADDRINUSE, new Text("EADDRINUSE", "Address already in use")),
          Map.entry(EADDRNOTAVAIL, new Text("EADDRNOTAVAIL", "Cannot assign requested address")),
          Map.entry(ENETDOWN, new Text("ENETDOWN", "Network is down")),
          Map.entry(ENETUNREACH, new Text("ENETUNREACH", "Network is unreachable")),
          Map.entry(ECONNREFUSED, new Text("ECONNREFUSED", "Connection refused")),
          Map.entry(ECANCELED, new Text("ECANCELED", "Operation canceled")),
          Map.entry(ETIMEDOUT, new Text("ETIMEDOUT", "Connection timed out")),
          Map.entry(EHOSTUNREACH, new Text("EHOSTUNREACH", "No route to host")));

  /** The name, as "EINVAL"; "errno N" for a number without one here. */
  public static String name(int errno) {
    Text text = TEXTS.get(errno);
    return text == null ? "errno " + errno : text.name;
  }

  /** As strerror: "Invalid argument"; "Unknown error N" for a number without a text here. */
  public static String strerror(int errno) {
    Text text = TEXTS.get(errno);
    return text == null ? "Unknown error " + errno : text.message;
  }

  private Errno() {}
}
