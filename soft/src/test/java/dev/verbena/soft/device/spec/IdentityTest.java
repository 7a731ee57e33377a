package dev.verbena.soft.device.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {

  @ParameterizedTest
  @CsvSource({
    "10.77.0.1, soft_10_77_0_1",
    "127.0.0.1, soft_127_0_0_1",
    "fd00::1, soft_fd00__1",
    "::1, soft___1"
  })
  void namesFollowFromTheAddress(String address, String name) {
    assertThat(Identity.name(Gid.parse(address))).isEqualTo(name);
    assertThat(Identity.address(name)).isEqualTo(Gid.parse(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soft0",
        "soft",
        "soft_",
        "soft_x",
        "soft_1_2_3",
        "soft_1_2_3_4_5",
        "soft_256_0_0_1",
        "soft_1.2.3.4",
        "soft_01_2_3_4",
        "soft_0__1",
        "soft__1__2",
        "mlx5_1_2_3_4"
      })
  void otherNamesHaveNoAddress(String name) {
    assertThat(Identity.address(name)).isNull();
  }

  @Test
  void theLongestNameHas63CharactersAtTheMost() {
    String longest = Identity.name(Gid.parse("2001:db8:1111:2222:3333:4444:5555:6666"));
    assertThat(longest).hasSizeLessThanOrEqualTo(63).matches("[A-Za-z0-9_]+");
  }

  @Test
  void theGuidOfAnIpv4DeviceIsAnEui64WithItsAddress() {
    assertThat(Identity.guid(Gid.parse("10.77.0.1"))).isEqualTo(0x0200_0aff_fe4d_0001L);
  }

  @Test
  void guidsDifferAndNameOneNode() {
    List<Long> guids =
        List.of("127.0.0.1", "127.0.0.2", "10.0.0.1", "::1", "fd00::1", "fd01::1").stream()
            .map(address -> Identity.guid(Gid.parse(address)))
            .collect(Collectors.toList());
    assertThat(guids).doesNotHaveDuplicates().doesNotContain(0L);
    assertThat(guids).allSatisfy(guid -> assertThat(guid >>> 56 & 3).isEqualTo(2));
  }
}
