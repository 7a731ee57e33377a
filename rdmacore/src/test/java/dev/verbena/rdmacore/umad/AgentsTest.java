package dev.verbena.rdmacore.umad;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentsTest {
  private static final int SA = 3;
  private static final int PERFORMANCE = 4;

  private final List<String> registered = new ArrayList<>();
  private final Agents agents =
      new Agents(
          (mgmtClass, version) -> {
            registered.add(mgmtClass + "." + version);
            return registered.size();
          });

  @Test
  void aClassGetsTwoAgentsWhenItIsFirstUsed() {
    agents.toSend(request(SA, 1));
    agents.toSend(request(SA, 2));
    agents.toSend(request(PERFORMANCE, 3));
    assertThat(registered).containsExactly("3.2", "3.2", "4.2", "4.2");
  }

  @Test
  void aRequestThatIsRepeatedTakesTheOtherAgent() {
    int first = agents.toSend(request(SA, 7));
    int second = agents.toSend(request(SA, 7));
    int third = agents.toSend(request(SA, 7));
    assertThat(second).isNotEqualTo(first);
    assertThat(third).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(ints = {SA, 0x30, 0x4f})
  void segmentsAreAcknowledgedByTheAgentThatGotThem(int mgmtClass) {
    int first = agents.toSend(request(mgmtClass, 7));
    int second = agents.toSend(request(mgmtClass, 7));
    agents.received(request(mgmtClass, 7), first);
    assertThat(agents.toSend(acknowledgement(mgmtClass, 7))).isEqualTo(first);
    assertThat(agents.toSend(acknowledgement(mgmtClass, 7))).isEqualTo(first);
    agents.received(request(mgmtClass, 7), second);
    assertThat(agents.toSend(acknowledgement(mgmtClass, 7))).isEqualTo(second);
  }

  @ParameterizedTest
  @ValueSource(ints = {PERFORMANCE, 0x2f, 0x50})
  void whereNothingHasSegmentsNothingIsTakenForOne(int mgmtClass) {
    int first = agents.toSend(acknowledgement(mgmtClass, 7));
    assertThat(agents.toSend(acknowledgement(mgmtClass, 7))).isNotEqualTo(first);
  }

  @Test
  void anAgentOfAnotherClassIsNeverTaken() {
    agents.toSend(request(PERFORMANCE, 7));
    assertThat(agents.toSend(acknowledgement(SA, 7))).isEqualTo(3);
    assertThat(agents.toSend(request(PERFORMANCE, 7))).isEqualTo(1);
  }

  @Test
  void whatComesUnaskedIsNotKept() {
    agents.received(request(SA, 9), 5);
    assertThat(agents.toSend(acknowledgement(SA, 9))).isEqualTo(1);
  }

  private static MemorySegment request(int mgmtClass, int transaction) {
    ByteBuffer mad = ByteBuffer.allocate(256);
    mad.put(1, (byte) mgmtClass).put(2, (byte) 2).putInt(12, transaction);
    return MemorySegment.ofBuffer(mad);
  }

  private static MemorySegment acknowledgement(int mgmtClass, int transaction) {
    MemorySegment mad = request(mgmtClass, transaction);
    mad.asByteBuffer().put(24, (byte) 1).put(25, (byte) 2).put(26, (byte) 1);
    return mad;
  }
}
