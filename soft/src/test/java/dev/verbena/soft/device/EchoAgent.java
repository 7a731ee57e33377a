package dev.verbena.soft.device;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.spi.MadSource;
import dev.verbena.verbs.spi.ManagementAgent;
import dev.verbena.verbs.spi.Subnet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Does what the first byte of a MAD says, and answers with the sender. For tests. */
public final class EchoAgent implements ManagementAgent {
  static final byte ANSWER = 0;
  static final byte ANSWER_TWICE = 1;
  static final byte SAY_NOTHING = 2;
  static final byte FAIL = 3;
  static final byte ANSWER_TOO_MUCH = 4;

  /** Offsets of the fields in an answer. */
  static final int LID_AT = 1;

  static final int QPN_AT = 5;
  static final int GUID_AT = 9;

  static final Set<Long> DEPARTED = ConcurrentHashMap.newKeySet();

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** For ServiceLoader. */
  public EchoAgent() {}

  @Override
  public void receive(
      Subnet subnet, MadSource source, MemorySegment mad, Consumer<MemorySegment> answer) {
    mad.set(INT, LID_AT, source.lid());
    mad.set(INT, QPN_AT, source.qpNum());
    Gid gid = source.gid();
    mad.set(LONG, GUID_AT, gid == null ? 0 : gid.interfaceId());
    switch (mad.get(ValueLayout.JAVA_BYTE, 0)) {
      case ANSWER -> answer.accept(mad);
      case ANSWER_TWICE -> {
        answer.accept(mad);
        answer.accept(mad);
      }
      case SAY_NOTHING -> {
        // Nothing.
      }
      case ANSWER_TOO_MUCH -> answer.accept(MemorySegment.ofArray(new byte[Iba.MAD_LENGTH + 1]));
      default -> throw new IllegalStateException("on purpose");
    }
  }

  @Override
  public void portLeft(Subnet subnet, long portGuid) {
    DEPARTED.add(portGuid);
  }
}
