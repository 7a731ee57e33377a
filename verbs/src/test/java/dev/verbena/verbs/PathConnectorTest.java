package dev.verbena.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.path.PathConnector;
import dev.verbena.verbs.path.PathConnector.Agreement;
import dev.verbena.verbs.path.Paths;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What two sides agree on, and what they refuse of each other. */
class PathConnectorTest {
  private static final long SEED = 0x636f6e6e;
  private static final int MAGIC = 0x56425043;
  private static final int OFFER = 1;
  private static final int ANSWER = 2;
  private static final int READY = 3;
  private static final int REFUSAL = 4;

  private final EndPort nearPort = Ports.ethernet();
  private final EndPort farPort = port(Gid.parse("10.77.0.2"), Mtu.MTU_4096);

  private static EndPort port(Gid gid, Mtu mtu) {
    return port(gid, mtu, 0xffff);
  }

  private static EndPort port(Gid gid, Mtu mtu, Integer... pkeys) {
    PortSnapshot like = Ports.ethernet().snapshot();
    return Ports.of(
        "soft0",
        new PortSnapshot(
            like.state(),
            like.physState(),
            LinkLayer.ETHERNET,
            0,
            0,
            0,
            0,
            0,
            0,
            mtu,
            Rate.RATE_40,
            List.of(gid),
            List.of(GidType.ROCE_V2),
            List.of(pkeys)));
  }

  /** Both sides of one connection. */
  private record Sides(Agreement near, Agreement far) {}

  private interface Side {
    Agreement run(PathConnector connector) throws IOException;
  }

  private static Sides run(Side near, Side far) throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<Agreement> other =
          pool.submit(
              () -> {
                try (ReadableByteChannel in = there.source();
                    WritableByteChannel out = back.sink()) {
                  return far.run(new PathConnector(in, out));
                }
              });
      try (ReadableByteChannel in = back.source();
          WritableByteChannel out = there.sink()) {
        return new Sides(near.run(new PathConnector(in, out)), other.get());
      }
    }
  }

  @Test
  @Proves({"PY-057", "PY-058"})
  void bothSidesGetWhatBothCanDo() throws Exception {
    PathPeer near = PathPeer.qp(QpType.RC, 0x11, 16, 4);
    PathPeer far = PathPeer.qp(QpType.RC, 0x22, 2, 8);
    IbPath offer = Paths.from(nearPort).copy(b -> b.retries(6).minRnrTimer(9).sl(2));
    Sides sides =
        run(
            c -> c.connect(near.queuePair(), offer, Access.REMOTE_READ),
            c -> c.accept(far.queuePair(), farPort, Access.REMOTE_WRITE));

    assertThat(near.steps().get(0).qpAccessFlags()).isEqualTo(Access.REMOTE_READ);
    assertThat(far.steps().get(0).qpAccessFlags()).isEqualTo(Access.REMOTE_WRITE);
    assertThat(near.rtr().destQpNum()).isEqualTo(0x22);
    assertThat(far.rtr().destQpNum()).isEqualTo(0x11);
    assertThat(near.rtr().ahAttr().dgid()).isEqualTo(Gid.parse("10.77.0.2"));
    assertThat(far.rtr().ahAttr().dgid()).isEqualTo(Gid.parse("10.77.0.1"));
    assertThat(near.rtr().rqPsn()).isEqualTo(far.rts().sqPsn()).isPositive();
    assertThat(far.rtr().rqPsn()).isEqualTo(near.rts().sqPsn()).isPositive();
    for (PathPeer side : List.of(near, far)) {
      assertThat(side.rtr().pathMtu()).isEqualTo(Mtu.MTU_1024);
      assertThat(side.rtr().minRnrTimer()).isEqualTo(9);
      assertThat(side.rts().retryCnt()).isEqualTo(6);
      // 4.096 µs × (2^17 + 2^15)
      assertThat(side.rts().timeout()).isEqualTo(18);
    }
    assertThat(near.rts().maxRdAtomic()).isEqualTo(far.rtr().maxDestRdAtomic()).isEqualTo(2);
    assertThat(far.rts().maxRdAtomic()).isEqualTo(near.rtr().maxDestRdAtomic()).isEqualTo(8);
    assertThat(sides.near().path().reverse(false).withEndPort(farPort))
        .isEqualTo(sides.far().path());
    assertThat(sides.near().path().endPort()).isSameAs(nearPort);
  }

  @Test
  @Proves("PY-058")
  void theMtuIsTheSmallestOfOfferAndResolvedPath() throws Exception {
    PathPeer near = PathPeer.qp(QpType.UC, 0x11);
    PathPeer far = PathPeer.qp(QpType.UC, 0x22);
    EndPort large = port(Gid.parse("10.77.0.1"), Mtu.MTU_4096);
    EndPort small = port(Gid.parse("10.77.0.2"), Mtu.MTU_512);
    run(c -> c.connect(near.queuePair(), Paths.from(large)), c -> c.accept(far.queuePair(), small));
    assertThat(near.rtr().pathMtu()).isEqualTo(Mtu.MTU_512);
    assertThat(far.rtr().pathMtu()).isEqualTo(Mtu.MTU_512);
  }

  @ParameterizedTest
  @CsvSource({"0x1234, 0x9234", "0x9234, 0x1234", "0x9234, 0x9234"})
  void eachSideHasItsOwnMembershipOfThePartition(int near, int far) throws Exception {
    EndPort one = port(Gid.parse("10.77.0.1"), Mtu.MTU_1024, 0xffff, near);
    EndPort other = port(Gid.parse("10.77.0.2"), Mtu.MTU_1024, far, 0xffff);
    PathPeer nearPeer = PathPeer.qp(QpType.RC, 1);
    PathPeer farPeer = PathPeer.qp(QpType.RC, 2);
    Sides sides =
        run(
            c -> c.connect(nearPeer.queuePair(), Paths.from(one).copy(b -> b.pkey(near ^ 0x8000))),
            c -> c.accept(farPeer.queuePair(), other));
    assertThat(sides.near().path().pkey()).isEqualTo(near);
    assertThat(sides.far().path().pkey()).isEqualTo(far);
    assertThat(nearPeer.steps().getFirst().pkeyIndex()).isEqualTo(1);
    assertThat(farPeer.steps().getFirst().pkeyIndex()).isZero();
  }

  @Test
  void ofTwoKeysForAPartitionAFullMembersIsTaken() throws Exception {
    EndPort limited = port(Gid.parse("10.77.0.1"), Mtu.MTU_1024, 0x1234);
    EndPort both = port(Gid.parse("10.77.0.2"), Mtu.MTU_1024, 0x1234, 0x9234);
    Sides sides =
        run(
            c ->
                c.connect(
                    PathPeer.qp(QpType.RC, 1).queuePair(),
                    Paths.from(limited).copy(b -> b.pkey(0x1234))),
            c -> c.accept(PathPeer.qp(QpType.RC, 2).queuePair(), both));
    assertThat(sides.far().path().pkey()).isEqualTo(0x9234);
  }

  @Test
  void limitedMembersLearnThatTheyDoNotReachEachOther() {
    EndPort one = port(Gid.parse("10.77.0.1"), Mtu.MTU_1024, 0x1234);
    EndPort other = port(Gid.parse("10.77.0.2"), Mtu.MTU_1024, 0x1234);
    PathPeer far = PathPeer.qp(QpType.RC, 2);
    IbPath offer = Paths.from(one).copy(b -> b.pkey(0x9234));
    assertThatThrownBy(
            () ->
                run(
                    c -> c.connect(PathPeer.qp(QpType.RC, 1).queuePair(), offer),
                    c -> c.accept(far.queuePair(), other)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the peer gave up: P_Key 0x1234 here and 0x1234 there: limited members cannot reach"
                + " each other");
    assertThat(far.steps()).isEmpty();
  }

  @Test
  void aLimitedAnswerToALimitedMemberIsRefused() {
    EndPort limited = port(nearPort.defaultGid(), Mtu.MTU_1024, 0x7fff);
    IbPath offer = Paths.from(limited).copy(b -> b.sqpsn(5));
    IbPath answer =
        Paths.resolveLocally(
            Paths.fillPath(PathPeer.qp(QpType.RC, 1).queuePair(), offer)
                .copy(b -> b.dgid(farPort.defaultGid()).dqpn(2).dqpsn(9)));
    assertThatThrownBy(() -> answered(offer, answer.copy(b -> b.pkey(0x7fff))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("limited members cannot reach each other");
  }

  @Test
  void aPathThatIsResolvedInAnotherPartitionIsRefused() {
    EndPort both = port(Gid.parse("10.77.0.2"), Mtu.MTU_1024, 0x9234, 0xffff);
    assertThatThrownBy(
            () ->
                run(
                    c -> c.connect(PathPeer.qp(QpType.RC, 1).queuePair(), Paths.from(nearPort)),
                    c ->
                        c.resolver(path -> Paths.resolveLocally(path).copy(b -> b.pkey(0x9234)))
                            .accept(PathPeer.qp(QpType.RC, 2).queuePair(), both)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "the resolver returned a path with P_Key 0x9234 for one with 0xffff: ask for that"
                + " P_Key");
  }

  @ParameterizedTest
  @CsvSource({"RC, RC", "UC, UC", "UD, UD", "XRC_SEND, XRC_RECV", "XRC_RECV, XRC_SEND"})
  @Proves("PY-061")
  void everyTypeFindsItsFellow(QpType nearType, QpType farType) throws Exception {
    PathPeer near = PathPeer.qp(nearType, 0x11);
    PathPeer far = PathPeer.qp(farType, 0x22);
    Sides sides =
        run(
            c -> c.connect(near.queuePair(), Paths.from(nearPort).copy(b -> b.qkey(0x55))),
            c -> c.accept(far.queuePair(), farPort));
    assertThat(near.steps()).hasSize(3);
    assertThat(far.steps()).hasSize(3);
    assertThat(sides.near().path().dqpn()).isEqualTo(0x22);
    assertThat(sides.far().path().dqpn()).isEqualTo(0x11);
    assertThat(sides.far().path().qkey()).isEqualTo(0x55);
  }

  @Test
  void dataOfBothApplicationsCrosses() throws Exception {
    Sides sides =
        run(
            c ->
                c.data("near".getBytes(UTF_8))
                    .connect(PathPeer.qp(QpType.RC, 1).queuePair(), Paths.from(nearPort)),
            c ->
                c.data(new byte[PathConnector.MAX_DATA])
                    .accept(PathPeer.qp(QpType.RC, 2).queuePair(), farPort));
    assertThat(UTF_8.decode(sides.far().data()).toString()).isEqualTo("near");
    assertThat(sides.near().data().remaining()).isEqualTo(PathConnector.MAX_DATA);
    assertThat(sides.near().data().isReadOnly()).isTrue();
    byte[] much = new byte[PathConnector.MAX_DATA + 1];
    PathConnector connector = new PathConnector(receiving(), sending(new ByteArrayOutputStream()));
    assertThatThrownBy(() -> connector.data(much))
        .hasMessageContaining("1025 bytes of data, the limit is 1024");
  }

  @Test
  void bothSidesLearnThatTheirTypesDoNotFit() throws Exception {
    PathPeer far = PathPeer.qp(QpType.UC, 2);
    IOException[] atFar = new IOException[1];
    assertThatThrownBy(
            () ->
                run(
                    c -> c.connect(PathPeer.qp(QpType.RC, 1).queuePair(), Paths.from(nearPort)),
                    c -> {
                      try {
                        return c.accept(far.queuePair(), farPort);
                      } catch (IOException e) {
                        atFar[0] = e;
                        throw e;
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("the peer gave up: the peer has a QP of type RC, which does not fit UC");
    assertThat(atFar[0]).hasMessage("the peer has a QP of type RC, which does not fit UC");
    assertThat(far.steps()).isEmpty();
  }

  /** Whatever this side gives up for, the other one waits for nothing. */
  @Test
  void whoeverGivesUpBeforeItHasSentAnythingSaysSo() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PathPeer peer = PathPeer.qp(QpType.RC, 1);
    IbPath nowhere = IbPath.builder().dgid(nearPort.defaultGid()).build();
    assertThatThrownBy(
            () -> new PathConnector(receiving(), sending(told)).connect(peer.queuePair(), nowhere))
        .isInstanceOf(VerbsException.class);
    assertThatThrownBy(() -> accept(PathPeer.qp(QpType.RC, 2), told.toByteArray()))
        .hasMessageStartingWith("the peer gave up: ibPath: this path has no end port");

    ByteArrayOutputStream answered = new ByteArrayOutputStream();
    assertThatThrownBy(
            () ->
                new PathConnector(receiving("SSH-2.0-abcdef".getBytes(UTF_8)), sending(answered))
                    .accept(peer.queuePair(), farPort))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> accept(PathPeer.qp(QpType.RC, 2), answered.toByteArray()))
        .hasMessageStartingWith("the peer gave up: the peer sent 0x5353482d where");
  }

  @Test
  void whoOffersLearnsThatThePathCannotBeResolved() {
    assertThatThrownBy(
            () ->
                run(
                    c -> c.connect(PathPeer.qp(QpType.RC, 1).queuePair(), Paths.from(nearPort)),
                    c ->
                        c.resolver(
                                path -> {
                                  throw new VerbsException("resolve", Errno.ENOENT, "no way");
                                })
                            .accept(PathPeer.qp(QpType.RC, 2).queuePair(), farPort)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the peer gave up: resolve: no way");
  }

  @Test
  void theResolverGetsBothEndsAndSaysTheRest() throws Exception {
    Sides sides =
        run(
            c -> c.connect(PathPeer.qp(QpType.RC, 1).queuePair(), Paths.from(nearPort)),
            c ->
                c.resolver(
                        path -> {
                          assertThat(path.endPort()).isSameAs(farPort);
                          assertThat(path.dgid()).isEqualTo(nearPort.defaultGid());
                          return Paths.resolveLocally(path).copy(b -> b.trafficClass(0x48));
                        })
                    .accept(PathPeer.qp(QpType.RC, 2).queuePair(), farPort));
    assertThat(sides.near().path().trafficClass()).isEqualTo(0x48);
  }

  @Test
  void anAnswerThatExceedsTheOfferIsRefused() throws Exception {
    IbPath offer = Paths.from(nearPort).copy(b -> b.sqpsn(5).qkey(7));
    IbPath good =
        Paths.resolveLocally(
            Paths.fillPath(PathPeer.qp(QpType.RC, 1).queuePair(), offer)
                .copy(b -> b.dgid(farPort.defaultGid()).dqpn(2).dqpsn(9)));
    assertThat(answered(offer, good).path().dqpn()).isEqualTo(2);
    List<IbPath> bad =
        List.of(
            good.copy(b -> b.sqpn(3)),
            good.copy(b -> b.sqpsn(6)),
            good.copy(b -> b.sgid(farPort.defaultGid())),
            good.copy(b -> b.pkey(0x8001)),
            good.copy(b -> b.qkey(8)),
            good.copy(b -> b.mtu(Mtu.MTU_2048)),
            good.copy(b -> b.srdatomic(PathPeer.MAX_INITIATOR + 1)),
            good.copy(b -> b.drdatomic(PathPeer.MAX_TARGET + 1)));
    for (IbPath answer : bad) {
      assertThatThrownBy(() -> answered(offer, answer))
          .as("%s", answer)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the peer answered with IBPath(");
    }
  }

  private static Agreement answered(IbPath offer, IbPath answer) throws IOException {
    byte[] path = answer.reverse(false).toBytes();
    ReadableByteChannel in =
        receiving(
            message(ANSWER, 2, path, new byte[0]), message(READY, 2, new byte[0], new byte[0]));
    return new PathConnector(in, sending(new ByteArrayOutputStream()))
        .connect(PathPeer.qp(QpType.RC, 1).queuePair(), offer);
  }

  @Test
  void whatIsNoMessageIsRefusedBeforeItIsKept() {
    byte[] path = Paths.from(nearPort).toBytes();
    byte[] none = {};
    assertNotAccepted("0x5353482d where a message begins with", "SSH-2.0-abcdef".getBytes(UTF_8));
    assertNotAccepted("a message of kind 2, not OFFER", message(ANSWER, 2, path, none));
    assertNotAccepted("a message of kind 0, not OFFER", message(0, 2, path, none));
    assertNotAccepted("a QP of type number 99", message(OFFER, 99, path, none));
    assertNotAccepted(
        "OFFER with a path of 222 and data of 0 bytes", message(OFFER, 2, new byte[222], none));
    assertNotAccepted(
        "OFFER with a path of 79 and data of 1025 bytes", message(OFFER, 2, path, new byte[1025]));
    assertNotAccepted("the peer did not send a path", message(OFFER, 2, none, none));
    assertNotAccepted("the peer did not send a path", message(OFFER, 2, new byte[79], none));
    assertNotAccepted(
        "REFUSAL with a path of 1 and data of 0 bytes", message(REFUSAL, 0, new byte[1], none));
    assertNotAccepted(
        "the peer gave up: b?d", message(REFUSAL, 0, none, "b\u001bd".getBytes(UTF_8)));
    // What turns the direction of a text round, and what nobody sees.
    assertNotAccepted(
        "the peer gave up: b?d?", message(REFUSAL, 0, none, "b\u202ed\u200b".getBytes(UTF_8)));
  }

  private void assertNotAccepted(String why, byte[] sent) {
    PathPeer peer = PathPeer.qp(QpType.RC, 1);
    assertThatThrownBy(() -> accept(peer, sent))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
    assertThat(peer.steps()).isEmpty();
  }

  private Agreement accept(PathPeer peer, byte[]... sent) throws IOException {
    return new PathConnector(receiving(sent), sending(new ByteArrayOutputStream()))
        .accept(peer.queuePair(), farPort);
  }

  @Test
  void aPeerThatGoesAwayIsNamedWithWhatItSent() {
    byte[] whole = message(OFFER, 2, Paths.from(nearPort).toBytes(), new byte[0]);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = ByteBuffer.allocate(length).put(whole, 0, length).array();
      assertThatThrownBy(() -> accept(PathPeer.qp(QpType.RC, 1), part))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("the peer closed the channel after");
    }
  }

  @Test
  void aChannelThatDoesNotBlockIsRefusedRatherThanSpunOn() throws Exception {
    Pipe pipe = Pipe.open();
    try (ReadableByteChannel in = pipe.source();
        WritableByteChannel out = pipe.sink()) {
      pipe.source().configureBlocking(false);
      assertThatThrownBy(
              () ->
                  new PathConnector(in, out).accept(PathPeer.qp(QpType.RC, 1).queuePair(), farPort))
          .hasMessage("the channel is not in blocking mode");
    }
  }

  @Test
  void damagedOffersAreRefusedOrTakenNothingElse() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 5000; round++) {
      IbPath offer = Paths.from(nearPort).reverse(false).copy(b -> b.dqpn(3).dqpsn(4).sqpsn(5));
      byte[] bytes = message(OFFER, 2, offer.toBytes(), new byte[random.nextInt(3)]);
      for (int damage = random.nextInt(3); damage >= 0; damage--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        accept(PathPeer.qp(QpType.RC, 1), bytes, message(READY, 2, new byte[0], new byte[0]));
      } catch (IOException | VerbsException e) {
        assertThat(e.getMessage()).as("seed %d", SEED).isNotBlank();
      }
    }
  }

  private static byte[] message(int kind, int type, byte[] path, byte[] data) {
    return ByteBuffer.allocate(10 + path.length + data.length)
        .putInt(MAGIC)
        .put((byte) kind)
        .put((byte) type)
        .putShort((short) path.length)
        .putShort((short) data.length)
        .put(path)
        .put(data)
        .array();
  }

  private static ReadableByteChannel receiving(byte[]... messages) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] message : messages) {
      all.writeBytes(message);
    }
    return Channels.newChannel(new ByteArrayInputStream(all.toByteArray()));
  }

  private static WritableByteChannel sending(ByteArrayOutputStream to) {
    return Channels.newChannel(to);
  }
}
