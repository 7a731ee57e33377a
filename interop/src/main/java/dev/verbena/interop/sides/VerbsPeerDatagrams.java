package dev.verbena.interop.sides;

import dev.verbena.verbs.Gid;
import java.io.IOException;

/**
 * The peer's commands for datagrams.
 *
 * @param connection with a UD endpoint
 */
record VerbsPeerDatagrams(VerbsPeerConnection connection) implements Datagrams {
  @Override
  public void aim(int qpn, Gid gid) throws IOException {
    connection.ask("aim qpn=%d gid=%s".formatted(qpn, gid.toWireHex()));
  }

  @Override
  public void aimBack(long off) throws IOException {
    connection.ask("aim_back grh=" + off);
  }

  @Override
  public void join(Gid group) throws IOException {
    connection.ask("join gid=" + group.toWireHex());
  }

  @Override
  public void leave(Gid group) throws IOException {
    connection.ask("leave gid=" + group.toWireHex());
  }
}
