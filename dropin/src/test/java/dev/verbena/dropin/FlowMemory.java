package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvFlowAttr;
import dev.verbena.rdmacore.layout.IbvFlowSpec;
import dev.verbena.rdmacore.layout.StructLayout;
import java.util.HexFormat;

/** Lays out a steering rule and its specifications in memory, before an unreadable page. */
final class FlowMemory implements AutoCloseable {
  private static final int PAGE = 4096;
  private static final int READ_WRITE = 1 | 2;
  private static final int PRIVATE_ANONYMOUS = 2 | 0x20;

  private static final CLibraryNative LIBC = CLibraryNative.libc();

  private final long begin = LIBC.call("mmap", 0, 2 * PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  private long spec = begin;
  private long end = begin;
  private int count;

  FlowMemory() {
    LIBC.call("mprotect", begin + PAGE, PAGE, 0);
  }

  long address() {
    return begin;
  }

  /** A rule of this type without specifications. */
  FlowMemory rule(int type) {
    end = begin + IbvFlowAttr.LAYOUT.size();
    Host.setInt(begin + IbvFlowAttr.TYPE, type);
    Host.setByte(begin + IbvFlowAttr.PORT, 1);
    return size((int) IbvFlowAttr.LAYOUT.size());
  }

  FlowMemory priority(int value) {
    return put(IbvFlowAttr.PRIORITY, value);
  }

  FlowMemory port(int value) {
    Host.setByte(begin + IbvFlowAttr.PORT, value);
    return this;
  }

  FlowMemory flags(int value) {
    return put(IbvFlowAttr.FLAGS, value);
  }

  /** Sets the total size. */
  FlowMemory size(int bytes) {
    return put(IbvFlowAttr.SIZE, bytes);
  }

  FlowMemory count(int specs) {
    Host.setByte(begin + IbvFlowAttr.NUM_OF_SPECS, specs);
    return this;
  }

  /** Stores a 16-bit number in the rule. */
  FlowMemory put(long offset, int value) {
    Host.setShort(begin + offset, value);
    return this;
  }

  /** Adds a specification of zeros; the total size grows. */
  FlowMemory spec(StructLayout layout, int type) {
    spec = end;
    end += layout.size();
    Host.setInt(spec + IbvFlowSpec.HDR_TYPE, type);
    return specSize((int) layout.size()).size((int) (end - begin)).count(++count);
  }

  /** Sets the size of the last specification. */
  FlowMemory specSize(int bytes) {
    Host.setShort(spec + IbvFlowSpec.HDR_SIZE, bytes);
    return this;
  }

  /** Stores bytes, as hexadecimal digits, in the last specification. */
  FlowMemory bytes(long offset, String digits) {
    byte[] raw = HexFormat.of().parseHex(digits.replace(" ", ""));
    for (int i = 0; i < raw.length; i++) {
      Host.setByte(spec + offset + i, raw[i]);
    }
    return this;
  }

  /** Copies the rule to the end of a page: reading beyond it ends the process. */
  long atTheEndOfAPage() {
    long address = begin + PAGE - (end - begin);
    LIBC.call("memmove", address, begin, end - begin);
    return address;
  }

  /** Copies the bytes of a rule to the end of a page. */
  long atTheEndOfAPage(byte[] rule) {
    long address = begin + PAGE - rule.length;
    for (int i = 0; i < rule.length; i++) {
      Host.setByte(address + i, rule[i]);
    }
    return address;
  }

  @Override
  public void close() {
    LIBC.call("munmap", begin, 2 * PAGE);
  }
}
