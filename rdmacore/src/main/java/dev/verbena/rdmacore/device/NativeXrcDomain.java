package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvXrcdInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;

/** An XRC domain of libibverbs. */
final class NativeXrcDomain extends NativeObject implements XrcDomain {
  private static final String OPEN = "openXrcd";

  /** Both bits of enum ibv_xrcd_init_attr_mask: file and flags are given. */
  private static final int BOTH = 3;

  /** O_RDONLY and O_CLOEXEC. */
  private static final int READ = 0x80000;

  private static final FunctionNative OPEN_FILE = FunctionNative.ofLibc("open");
  private static final FunctionNative CLOSE_FILE = FunctionNative.ofLibc("close");

  private NativeXrcDomain(NativeContext context, long address, FunctionNative close) {
    super(context, Kind.XRCD, address, close);
  }

  static NativeXrcDomain open(NativeContext context, XrcdInitAttr attr) {
    context.lifetime().require(OPEN);
    FunctionNative open = context.operations().extended("open_xrcd", VerbsContext.OPEN_XRCD);
    FunctionNative close = context.operations().extended("close_xrcd", VerbsContext.CLOSE_XRCD);
    try (Handle.Use use = context.handle().use(OPEN);
        Arena arena = Arena.ofConfined()) {
      Path path = attr.file();
      int file = path == null ? -1 : openFile(arena, path);
      try {
        long in = arena.allocate(IbvXrcdInitAttr.LAYOUT.size(), Long.BYTES).address();
        Host.setInt(in + IbvXrcdInitAttr.COMP_MASK, BOTH);
        Host.setInt(in + IbvXrcdInitAttr.FD, file);
        Host.setInt(in + IbvXrcdInitAttr.OFLAGS, attr.oflags());
        long address =
            open.call(OPEN, use.address(), in).pointer(OPEN, attr + " of the " + context);
        return make(
            address, OPEN, close, () -> new NativeXrcDomain(context, address, close), List.of());
      } finally {
        closeFile(file);
      }
    }
  }

  /** The kernel looks at the file only while it opens the domain. */
  private static int openFile(Arena arena, Path path) {
    Answer answer = OPEN_FILE.call(OPEN, arena.allocateFrom(path.toString()).address(), READ);
    int file = (int) answer.value();
    if (file < 0) {
      throw new VerbsException(
          OPEN,
          Errno.EBADF,
          "the file " + path + " cannot be opened: error number " + answer.errno());
    }
    return file;
  }

  private static void closeFile(int file) {
    if (file >= 0) {
      CLOSE_FILE.call(OPEN, file).orThrow(OPEN, "to close descriptor " + file);
    }
  }

  @Override
  public Runnable release() {
    return handle()::end;
  }
}
