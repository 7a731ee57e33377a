package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpInitAttr;
import java.io.IOException;

/**
 * A process with a member of a multicast group, until it is killed or its input ends. Arguments:
 * link and address of its device, and the group.
 */
final class GroupMember {
  static final String JOINED = "joined";

  public static void main(String[] args) throws IOException {
    try (Context context = Devices.open(TckLink.valueOf(args[0]).device(args[1], 0))) {
      var qp = context.allocPd().createQp(QpInitAttr.ud(context.createCq(1)));
      qp.attachMcast(Gid.parse(args[2]), 0);
      System.out.println(JOINED);
      int end = System.in.read();
      if (end >= 0) {
        throw new IOException("the parent wrote " + end + " where it should write nothing");
      }
    }
  }

  private GroupMember() {}
}
