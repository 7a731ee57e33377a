package dev.verbena.tools.demo;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.LinkKind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The devices of the two ends, which are processes on the same computer. Software devices have
 * different addresses, are connected by UDP, and have a capture file each. Others are taken as they
 * are, and one of them may be that of both ends.
 */
record DemoDevices(DeviceSpec client, DeviceSpec server) {
  private static final String CAPTURE = "capture";
  private static final String LINK = "link";
  private static final String FIRST = "soft0";
  private static final String SOFT = "soft";
  private static final String BY_ADDRESS = "soft_";
  private static final String IN_MEMORY = "new";

  /**
   * The devices for the user's options.
   *
   * @param client the client's device
   * @param server the server's device; null for the same kind as the client's
   */
  static DemoDevices of(DeviceSpec client, @Nullable DeviceSpec server) {
    DeviceSpec ownEnd = ready(client);
    if (server == null && client.isSoftware() && !client.name().equals(FIRST)) {
      throw ToolException.usage(
          ("--device=%s is one address, and two processes need two: give --server-device too, or"
                  + " --device=soft0%s")
              .formatted(client, options(client)));
    }
    return new DemoDevices(ownEnd, ready(server == null ? likeClient(client) : server));
  }

  /** The file to which the client's packets go, if any. */
  @Nullable Path clientCapture() {
    String file = client.options().get(CAPTURE);
    return file == null ? null : Path.of(file);
  }

  /** The same devices, of which the client's captures its packets. */
  DemoDevices clientCapture(Path file) {
    if (!client.isSoftware()) {
      throw ToolException.usage(
          "--svg: only software devices, such as soft0, show their packets; '%s' is none"
              .formatted(client));
    }
    return new DemoDevices(client.capture(file), server);
  }

  /** Not so: names of the subnet inside a process, and devices in memory. */
  private static boolean hasUdp(DeviceSpec spec) {
    return spec.name().equals(FIRST)
        || spec.name().startsWith(BY_ADDRESS)
        || (spec.name().equals(SOFT) && !IN_MEMORY.equals(spec.address()));
  }

  private static DeviceSpec likeClient(DeviceSpec client) {
    String capture = client.options().get(CAPTURE);
    return capture == null ? client : client.capture(serverFile(Path.of(capture)));
  }

  /** "a.pcapng" becomes "a-server.pcapng". */
  private static Path serverFile(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    String base = dot < 0 ? name : name.substring(0, dot);
    return file.resolveSibling(base + "-server" + (dot < 0 ? "" : name.substring(dot)));
  }

  /**
   * The device as an end opens it, a software device over UDP. One that cannot do so is refused in
   * the words of the user, who has not given that option.
   */
  private static DeviceSpec ready(DeviceSpec spec) {
    if (!spec.isSoftware()) {
      return spec;
    }
    if (!hasUdp(spec)) {
      throw ToolException.usage(
          ("device '%s' cannot be used: the two ends are two processes with RoCE v2 over UDP, which"
                  + " need soft0 or soft:ADDRESS")
              .formatted(spec));
    }
    if (spec.options().containsKey(LINK) && !spec.options().get(LINK).equals(LinkKind.UDP.key())) {
      throw ToolException.usage(
          "%s: the two ends are two processes, which need link=udp".formatted(spec));
    }
    return spec.link(LinkKind.UDP);
  }

  private static String options(DeviceSpec spec) {
    String text = spec.toString();
    int query = text.indexOf('?');
    return query < 0 ? "" : text.substring(query);
  }
}
