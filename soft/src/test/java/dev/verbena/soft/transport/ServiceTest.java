package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpType;
import dev.verbena.wire.Transport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceTest {
  @ParameterizedTest
  @CsvSource({
    // type, service, acknowledged, connected, datagrams, several packets, Ethernet
    "RC, RC, true, true, false, true, false",
    "UC, UC, false, true, false, true, false",
    "UD, UD, false, false, true, false, false",
    "XRC_SEND, XRC, true, true, false, true, false",
    "XRC_RECV, XRC, true, true, false, true, false",
    "RAW_PACKET, RAW, false, false, false, false, true",
    "DRIVER, RAW, false, false, false, false, true"
  })
  void eachTypeOfQueuePairHasAService(
      QpType type,
      Service service,
      boolean acknowledged,
      boolean connected,
      boolean datagram,
      boolean cuts,
      boolean ethernet) {
    assertThat(Service.of(type)).isEqualTo(service);
    assertThat(service.acknowledged).isEqualTo(acknowledged);
    assertThat(service.connected).isEqualTo(connected);
    assertThat(service.datagram).isEqualTo(datagram);
    assertThat(service.cutsMessages).isEqualTo(cuts);
    assertThat(service.ethernet).isEqualTo(ethernet);
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void packetsOfItsOwnTransportAloneBelongToAService(Service service) {
    for (Transport transport : Transport.values()) {
      assertThat(service.isCarriedBy(transport)).isEqualTo(transport.name().equals(service.name()));
    }
  }
}
