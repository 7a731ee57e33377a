package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The opcode table against S12.3, which this test states a second time. */
class OpcodeTest {
  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "0x00, RC_SEND_FIRST, SEND, first, BTH",
    "0x01, RC_SEND_MIDDLE, SEND, middle, BTH",
    "0x02, RC_SEND_LAST, SEND, last, BTH",
    "0x03, RC_SEND_LAST_IMM, SEND, last, BTH IMM",
    "0x04, RC_SEND_ONLY, SEND, only, BTH",
    "0x05, RC_SEND_ONLY_IMM, SEND, only, BTH IMM",
    "0x06, RC_WRITE_FIRST, WRITE, first, BTH RETH",
    "0x07, RC_WRITE_MIDDLE, WRITE, middle, BTH",
    "0x08, RC_WRITE_LAST, WRITE, last, BTH",
    "0x09, RC_WRITE_LAST_IMM, WRITE, last, BTH IMM",
    "0x0A, RC_WRITE_ONLY, WRITE, only, BTH RETH",
    "0x0B, RC_WRITE_ONLY_IMM, WRITE, only, BTH RETH IMM",
    "0x0C, RC_READ_REQUEST, READ_REQUEST, only, BTH RETH",
    "0x0D, RC_READ_RESPONSE_FIRST, READ_RESPONSE, first, BTH AETH",
    "0x0E, RC_READ_RESPONSE_MIDDLE, READ_RESPONSE, middle, BTH",
    "0x0F, RC_READ_RESPONSE_LAST, READ_RESPONSE, last, BTH AETH",
    "0x10, RC_READ_RESPONSE_ONLY, READ_RESPONSE, only, BTH AETH",
    "0x11, RC_ACKNOWLEDGE, ACKNOWLEDGE, only, BTH AETH",
    "0x12, RC_ATOMIC_ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, only, BTH AETH ATOMICACK",
    "0x13, RC_COMPARE_SWAP, COMPARE_SWAP, only, BTH ATOMIC",
    "0x14, RC_FETCH_ADD, FETCH_ADD, only, BTH ATOMIC",
    "0x16, RC_SEND_LAST_INV, SEND, last, BTH IETH",
    "0x17, RC_SEND_ONLY_INV, SEND, only, BTH IETH",
    "0x1C, RC_FLUSH, FLUSH, only, BTH FETH RETH",
    "0x1D, RC_ATOMIC_WRITE, ATOMIC_WRITE, only, BTH RETH",
    "0x20, UC_SEND_FIRST, SEND, first, BTH",
    "0x25, UC_SEND_ONLY_IMM, SEND, only, BTH IMM",
    "0x26, UC_WRITE_FIRST, WRITE, first, BTH RETH",
    "0x2B, UC_WRITE_ONLY_IMM, WRITE, only, BTH RETH IMM",
    "0x36, UC_SEND_LAST_INV, SEND, last, BTH IETH",
    "0x37, UC_SEND_ONLY_INV, SEND, only, BTH IETH",
    "0x64, UD_SEND_ONLY, SEND, only, BTH DETH",
    "0x65, UD_SEND_ONLY_IMM, SEND, only, BTH DETH IMM",
    "0xA0, XRC_SEND_FIRST, SEND, first, BTH XRCETH",
    "0xA1, XRC_SEND_MIDDLE, SEND, middle, BTH XRCETH",
    "0xA5, XRC_SEND_ONLY_IMM, SEND, only, BTH XRCETH IMM",
    "0xAB, XRC_WRITE_ONLY_IMM, WRITE, only, BTH XRCETH RETH IMM",
    "0xAC, XRC_READ_REQUEST, READ_REQUEST, only, BTH XRCETH RETH",
    "0xAD, XRC_READ_RESPONSE_FIRST, READ_RESPONSE, first, BTH AETH",
    "0xAE, XRC_READ_RESPONSE_MIDDLE, READ_RESPONSE, middle, BTH",
    "0xB1, XRC_ACKNOWLEDGE, ACKNOWLEDGE, only, BTH AETH",
    "0xB2, XRC_ATOMIC_ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, only, BTH AETH ATOMICACK",
    "0xB4, XRC_FETCH_ADD, FETCH_ADD, only, BTH XRCETH ATOMIC",
    "0xB7, XRC_SEND_ONLY_INV, SEND, only, BTH XRCETH IETH",
    "0xBC, XRC_FLUSH, FLUSH, only, BTH XRCETH FETH RETH",
    "0xBD, XRC_ATOMIC_WRITE, ATOMIC_WRITE, only, BTH XRCETH RETH",
    "0xC0, VERBENA_BUFFER, BUFFER, only, BTH BUFFER",
  })
  void rowsAgreeWithTheSpecification(
      String number, String name, Operation operation, String position, String headers) {
    int opcode = Integer.decode(number);
    assertThat(Opcode.isValid(opcode)).isTrue();
    assertThat(Opcode.name(opcode)).isEqualTo(name);
    assertThat(Opcode.row(opcode).transport.name()).isEqualTo(name.substring(0, name.indexOf('_')));
    assertThat(Opcode.row(opcode).operation).isEqualTo(operation);
    assertThat(position(opcode)).isEqualTo(position);
    assertThat(headers(opcode)).isEqualTo(headers);
    assertThat(Opcode.row(opcode).isRequest)
        .isNotEqualTo(name.matches(".*(RESPONSE|ACKNOWLEDGE|BUFFER).*"));
  }

  @Test
  void theThreeMessageFormsCarryPayloadExactlyWhereDataFlows() {
    for (int opcode = 0; opcode < 256; opcode++) {
      if (Opcode.isValid(opcode)) {
        boolean data =
            switch (Opcode.row(opcode).operation) {
              case SEND, WRITE, READ_RESPONSE, ATOMIC_WRITE -> true;
              default -> false;
            };
        assertThat(Opcode.row(opcode).hasPayload).as(Opcode.name(opcode)).isEqualTo(data);
      }
    }
  }

  @Test
  void constantsAndTableHaveTheSameOpcodesAndNames() throws IllegalAccessException {
    Set<Integer> constants = new HashSet<>();
    for (var field : Opcode.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers()) && !field.getName().endsWith("_BASE")) {
        int opcode = field.getInt(null);
        assertThat(Opcode.name(opcode)).isEqualTo(field.getName());
        assertThat(constants.add(opcode)).isTrue();
      }
    }
    for (int opcode = 0; opcode < 256; opcode++) {
      assertThat(Opcode.isValid(opcode)).isEqualTo(constants.contains(opcode));
    }
  }

  @Test
  void aRequestOfRcIsFoundByWhatItSays() {
    for (int opcode = 0; opcode < Opcode.UC_BASE; opcode++) {
      if (Opcode.isValid(opcode) && Opcode.row(opcode).isRequest) {
        assertThat(
                Opcode.ofRequest(
                    Opcode.row(opcode).operation,
                    Opcode.row(opcode).startsMessage,
                    Opcode.row(opcode).endsMessage,
                    Opcode.row(opcode).has(ImmDt.BIT),
                    Opcode.row(opcode).has(Ieth.BIT)))
            .as(Opcode.name(opcode))
            .isEqualTo(opcode);
      }
    }
    assertThatThrownBy(() -> Opcode.ofRequest(Operation.READ_RESPONSE, true, true, false, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("READ_RESPONSE");
    assertThatThrownBy(() -> Opcode.ofRequest(Operation.WRITE, true, true, false, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("WRITE");
  }

  @Test
  void requestsAndNoOthersAreAnswered() {
    for (int opcode = 0; opcode < 256; opcode++) {
      if (Opcode.isValid(opcode)) {
        assertThat(Opcode.row(opcode).operation.answer != Answer.NONE)
            .as(Opcode.name(opcode))
            .isEqualTo(Opcode.row(opcode).isRequest);
      }
    }
  }

  @Test
  void ucAndXrcAreRcWithAnotherBase() {
    for (int opcode = 0; opcode < 0x20; opcode++) {
      int xrc = opcode + Opcode.XRC_BASE;
      assertThat(Opcode.isValid(xrc)).isEqualTo(Opcode.isValid(opcode));
      int uc = opcode + Opcode.UC_BASE;
      if (Opcode.isValid(uc)) {
        assertThat(headers(uc)).isEqualTo(headers(opcode));
        assertThat(position(uc)).isEqualTo(position(opcode));
      }
    }
    assertThat(Opcode.UD_BASE + Opcode.RC_SEND_ONLY).isEqualTo(Opcode.UD_SEND_ONLY);
  }

  @Test
  void aCongestionNotificationIsABthAndSixteenReservedBytes() {
    assertThat(Opcode.row(Opcode.CNP).transport).isEqualTo(Transport.CNP);
    assertThat(Opcode.row(Opcode.CNP).headerLength).isEqualTo(28);
    assertThat(Opcode.row(Opcode.CNP).isRequest).isFalse();
  }

  @Test
  void whatOnlyDevicesLikeThisKnowHasAnOpcodeThatIsLeftToManufacturers() {
    Opcode.Row row = Opcode.row(Opcode.VERBENA_BUFFER);
    assertThat(row.number).isBetween(0xC0, 0xFF);
    assertThat(row.transport).isEqualTo(Transport.VERBENA);
    assertThat(row.headerLength).isEqualTo(20);
    assertThat(row.isRequest || row.hasPayload).isFalse();
  }

  @Test
  void onlyTwoKindsOfPacketsBelongToNoMessage() {
    assertThat(Arrays.stream(Operation.values()).filter(operation -> !operation.isOfMessage))
        .containsExactly(Operation.CNP, Operation.BUFFER);
  }

  @Test
  void anUnknownOpcodeHasNoRowAndSaysSo() {
    assertThat(Opcode.name(0x5F)).isEqualTo("UNKNOWN_0x5F");
    assertThatThrownBy(() -> Opcode.row(0x5F))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UNKNOWN_0x5F");
  }

  private static String position(int opcode) {
    Opcode.Row row = Opcode.row(opcode);
    if (row.startsMessage) {
      return row.endsMessage ? "only" : "first";
    }
    return row.endsMessage ? "last" : "middle";
  }

  private record Header(String name, boolean present, int offset, int length) {}

  /** The headers in the order of their offsets, which must leave no gap. */
  private static String headers(int opcode) {
    Header[] headers = {
      new Header("RETH", Opcode.row(opcode).has(Reth.BIT), Opcode.row(opcode).offset(Reth.BIT), 16),
      new Header("AETH", Opcode.row(opcode).has(Aeth.BIT), Opcode.row(opcode).offset(Aeth.BIT), 4),
      new Header(
          "ATOMIC",
          Opcode.row(opcode).has(AtomicEth.BIT),
          Opcode.row(opcode).offset(AtomicEth.BIT),
          28),
      new Header(
          "ATOMICACK",
          Opcode.row(opcode).has(AtomicAckEth.BIT),
          Opcode.row(opcode).offset(AtomicAckEth.BIT),
          8),
      new Header(
          "BUFFER",
          Opcode.row(opcode).has(BufferSize.BIT),
          Opcode.row(opcode).offset(BufferSize.BIT),
          8),
      new Header("IMM", Opcode.row(opcode).has(ImmDt.BIT), Opcode.row(opcode).offset(ImmDt.BIT), 4),
      new Header("IETH", Opcode.row(opcode).has(Ieth.BIT), Opcode.row(opcode).offset(Ieth.BIT), 4),
      new Header("DETH", Opcode.row(opcode).has(Deth.BIT), Opcode.row(opcode).offset(Deth.BIT), 8),
      new Header(
          "XRCETH", Opcode.row(opcode).has(Xrceth.BIT), Opcode.row(opcode).offset(Xrceth.BIT), 4),
      new Header("FETH", Opcode.row(opcode).has(Feth.BIT), Opcode.row(opcode).offset(Feth.BIT), 4),
    };
    Arrays.sort(headers, (a, b) -> Integer.compare(a.offset(), b.offset()));
    StringJoiner names = new StringJoiner(" ").add("BTH");
    int end = 12;
    for (Header header : headers) {
      assertThat(header.present()).isEqualTo(header.offset() >= 0);
      if (header.present()) {
        assertThat(header.offset()).isEqualTo(end);
        names.add(header.name());
        end += header.length();
      }
    }
    assertThat(Opcode.row(opcode).headerLength).isEqualTo(end);
    return names.toString();
  }

  @Test
  void anyByteCanBeAskedWhetherItIsAnAcknowledgementOrARequest() {
    List<String> acknowledgements =
        IntStream.range(0, 256).filter(Opcode::isAcknowledge).mapToObj(Opcode::name).toList();
    assertThat(acknowledgements).containsExactly("RC_ACKNOWLEDGE", "XRC_ACKNOWLEDGE");
    for (int opcode = 0; opcode < 256; opcode++) {
      boolean request = Opcode.isValid(opcode) && Opcode.row(opcode).isRequest;
      assertThat(Opcode.isRequest(opcode)).as(Opcode.name(opcode)).isEqualTo(request);
    }
  }
}
