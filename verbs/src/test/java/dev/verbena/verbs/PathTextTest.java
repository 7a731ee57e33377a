package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that name paths. */
class PathTextTest {
  private static final long SEED = 0x70617468;

  private final EndPort port = Ports.infiniBand();

  @Test
  @Proves("PY-063")
  void theTextShowsWhatDiffersFromTheDefaults() {
    IbPath path =
        IbPath.builder()
            .dgid(Gid.parse("fe80::1"))
            .dlid(4)
            .pkey(0x7fff)
            .hasGrh(true)
            .mtu(Mtu.MTU_2048)
            .qkey(0x80010000)
            .drPath(List.of(0, 1, 4))
            .build();
    assertThat(path)
        .hasToString(
            "IBPath(DGID='fe80::1', DLID=4, pkey=0x7fff, has_grh=1, MTU=4, qkey=0x80010000,"
                + " drPath='0,1,4,')");
    assertThat(IbPath.fromSpecString(path.toString())).isEqualTo(path);
  }

  @Test
  @Proves("PY-063")
  void aPathOfDefaultsHasATextToo() {
    IbPath path = IbPath.builder().build();
    assertThat(path).hasToString("IBPath(DLID=0)");
    assertThat(IbPath.fromSpecString("IBPath(DLID=0)")).isEqualTo(path);
  }

  @Test
  @Proves("PY-063")
  void everyTextOfAPathCanBeRead() {
    Random random = new Random(SEED);
    for (int round = 0; round < 2000; round++) {
      IbPath path = RandomPaths.next(random, false);
      assertThat(IbPath.fromSpecString(path.toString())).as("seed %d", SEED).isEqualTo(path);
    }
  }

  @Test
  @Proves("PY-063")
  void spacesHexadecimalsAndQuotesAreFree() {
    IbPath path = IbPath.builder().dlid(0x1f).sgid(Gid.parse("fe80::2")).build();
    assertThat(IbPath.fromSpecString(" IBPath( DLID=0x1F ,SGID = fe80::2 ) ")).isEqualTo(path);
    assertThat(IbPath.fromSpecString("IBPath(SGID='fe80::2',DLID='31')")).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Moo()",
        "IBPath()",
        "IBPath(XX=1)",
        "IBPath(DLID=1x)",
        "IBPath(DLID=1 , x)",
        "IBPath(DLID=1 , SLID=)",
        "IBPath(DLID=1,)",
        "IBPath(,DLID=1)",
        "IBPath(DLID=1,DLID=1)",
        "IBPath(DLID=65536)",
        "IBPath(DLID=-1)",
        "IBPath(MTU=0)",
        "IBPath(rate=1)",
        "IBPath(DGID='10.0.0')",
        "IBPath(DGID=)",
        "IBPath(DLID=1",
        "IBPath(DLID=1) x",
        "IBPath(drPath='1')",
        "IBPath(drPath='0,256,')",
        "IBPath(qkey=0x100000000)",
        "IBPath(qkey=4294967296)",
        "IBPath(DLID='1' '2')",
        "IBPath(end_port='soft0/1')",
        "IBPath(__class__=os.system)",
        "DLID=1",
        ""
      })
  @Proves({"PY-062", "PY-063"})
  void anythingElseIsEinval(String text) {
    assertThatThrownBy(() -> IbPath.fromSpecString(text))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fe80::7 | IBPath(DGID='fe80::7')",
        "fe80000000000000000000000000000a | IBPath(DGID='fe80::a')",
        "10.77.0.2 | IBPath(DGID='::ffff:10.77.0.2')",
        "0002:c903:0000:1491 | IBPath(DGID='fe80::2:c903:0:1491')",
        "0x0002c90300001491 | IBPath(DGID='fe80::2:c903:0:1491')",
        "17 | IBPath(DLID=17)",
        "0x1F | IBPath(DLID=31)",
        "0, | IBPath(DLID=65535, SLID=65535, drPath='0,')",
        "0,1, | IBPath(DLID=65535, SLID=65535, drPath='0,1,')",
        "0,1,4 | IBPath(DLID=65535, SLID=65535, drPath='0,1,4,')",
        "IBPath(DLID=3) | IBPath(DLID=3)"
      })
  @Proves("PY-064")
  void whatPeopleWriteNamesADestination(String text, String path) {
    IbPath named = IbPath.fromString(text, port);
    assertThat(named).hasToString(path);
    assertThat(named.endPort()).isSameAs(port);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xx",
        "65536",
        "4294967300",
        "0:0:0",
        "fe80::/",
        "fe80::1x",
        "",
        "-1",
        "65536",
        "0x10000",
        "99999999999999999999",
        ",",
        "0,256,",
        "fe80::1%",
        "xx%soft0/1",
        "IBPath()"
      })
  @Proves("PY-064")
  void whatNamesNothingIsRefused(String text) {
    assertThatThrownBy(() -> IbPath.fromString(text, port))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0,", "1,", "(", ")", "IBPath(", "DLID=1,", "fe80:", "'", " ", "%", "x"})
  @Proves("PY-062")
  void aVeryLongTextIsRefusedUnread(String piece) {
    String text = piece.repeat(1_000_000);
    assertThatThrownBy(() -> IbPath.fromString(text, port))
        .hasMessageContaining("characters, a path has at most 2048");
    assertThatThrownBy(() -> IbPath.fromSpecString("IBPath(drPath='" + text + "')"))
        .hasMessageContaining("characters, a path has at most 2048");
  }

  @Test
  @Proves("PY-063")
  void theLongestTextsAreRead() {
    IbPath.Builder path =
        IbPath.builder()
            .dgid(new Gid(-1, -1))
            .sgid(new Gid(-2, -2))
            .drPath(Collections.nCopies(64, 255));
    for (PathField field : PathField.values()) {
      long value = field.isValue(5) ? 5 : 0;
      for (long each = 1; each < 1L << 32; each = each * 2 + 1) {
        value = field.isValue(each) ? each : value;
      }
      path.set(field, value);
    }
    IbPath longest = path.build();
    assertThat(IbPath.fromSpecString(longest.toString())).isEqualTo(longest);
  }

  @Test
  void anyTextIsAPathOrEinval() {
    String[] words = {
      "IBPath(", "DLID=", "DGID='fe80::1'", ", ", ")", "0x", "qkey=", "drPath='0,'"
    };
    TextFuzz.run(
        SEED,
        "0123456789abcdef=,'():; ",
        words,
        text -> {
          IbPath path = IbPath.fromSpecString(text);
          assertThat(IbPath.fromSpecString(path.toString())).isEqualTo(path);
        });
    TextFuzz.run(
        SEED,
        "0123456789abcdefx:,. ",
        text -> assertThat(IbPath.fromString(text, port).endPort()).isSameAs(port));
  }
}
