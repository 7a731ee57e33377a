package dev.verbena.rdmacore.asserts;

import dev.verbena.rdmacore.layout.Layouts;
import dev.verbena.rdmacore.layout.StructLayout;
import dev.verbena.rdmacore.layout.StructLayout.Growth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Renders layouts as C static assertions. Compiled against the headers of an installed rdma-core,
 * they fail for each struct and member with another offset or size, and name it. The build of the
 * drop-in runs this class.
 */
public final class LayoutAsserts {
  private LayoutAsserts() {}

  /**
   * Writes the assertions about {@link Layouts#all()}.
   *
   * @param args the file to write
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException("usage: LayoutAsserts FILE");
    }
    Files.writeString(Path.of(args[0]), source("infiniband/verbs.h", Layouts.all()));
  }

  /** A C source file that compiles if, and only if, the layouts match the header. */
  public static String source(String header, List<StructLayout> layouts) {
    StringBuilder c = new StringBuilder("#include <stddef.h>\n\n#include <" + header + ">\n");
    for (StructLayout layout : layouts) {
      String type = layout.type();
      c.append('\n').append(assertion("sizeof(" + type + size(layout), type));
      for (StructLayout.Field field : layout.fields()) {
        String path = field.path();
        String offset = place(layout, field);
        String size = "sizeof(((" + type + " *)0)->" + path + ") == " + field.size();
        c.append(assertion(offset + " && " + size, type + "." + path));
      }
    }
    return c.toString();
  }

  private static String size(StructLayout layout) {
    return ") " + (layout.growth() == Growth.NONE ? "== " : ">= ") + layout.size();
  }

  private static String place(StructLayout layout, StructLayout.Field field) {
    String offset = "offsetof(" + layout.type() + ", " + field.path() + ")";
    return layout.growth() == Growth.AT_START
        ? "sizeof(" + layout.type() + ") - " + offset + " == " + (layout.size() - field.offset())
        : offset + " == " + field.offset();
  }

  private static String assertion(String condition, String name) {
    return "_Static_assert(" + condition + ", \"" + name + "\");\n";
  }
}
