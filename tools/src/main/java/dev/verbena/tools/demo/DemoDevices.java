package dev.verbena.tools.demo;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.LinkKind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The devices of the two ends, which are processes on the same computer: they have different
 * addresses, are connected by UDP, and have a capture file each.
 */
record DemoDevices(DeviceSpec client, DeviceSpec server) {
  private static final String CAPTURE = "capture";
  private static final String LINK = "link";

  /**
   * The devices for the user's options.
   *
   * @param client the client's device
   * @param server the server's device; null for the same kind as the client's
   */
  static DemoDevices of(DeviceSpec client, @Nullable DeviceSpec server) {
    if (server == null && client.address() != null) {
      throw ToolException.usage(
          ("--device=%s is one address, and two processes need two: give --server-device too, or"
                  + " --device=soft0%s")
              .formatted(client, options(client)));
    }
    return new DemoDevices(overUdp(client), overUdp(server == null ? likeClient(client) : server));
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

  private static DeviceSpec overUdp(DeviceSpec spec) {
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
