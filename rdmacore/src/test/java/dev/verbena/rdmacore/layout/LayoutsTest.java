package dev.verbena.rdmacore.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayoutsTest {
  @Test
  void everyClassWithALayoutIsListedOnce() throws ReflectiveOperationException {
    List<String> found = new ArrayList<>();
    for (Class<?> struct : structs()) {
      found.add(layoutOf(struct).type());
    }
    assertThat(found).isNotEmpty();
    assertThat(Layouts.all())
        .extracting(StructLayout::type)
        .containsExactlyInAnyOrderElementsOf(found);
  }

  @Test
  void noStructIsDescribedTwice() {
    assertThat(Layouts.all()).extracting(StructLayout::type).doesNotHaveDuplicates();
  }

  @Test
  void aClassIsNamedAsItsStruct() throws ReflectiveOperationException {
    for (Class<?> struct : structs()) {
      String type = layoutOf(struct).type();
      String tag = type.substring(type.indexOf(' ') + 1);
      assertThat(struct.getSimpleName()).isEqualToIgnoringCase(tag.replace("_", ""));
    }
  }

  @Test
  void everyConstantIsTheOffsetOfTheMemberThatItIsNamedAfter() throws ReflectiveOperationException {
    for (Class<?> struct : structs()) {
      Map<String, Long> members = new TreeMap<>();
      for (StructLayout.Field field : layoutOf(struct).fields()) {
        String name = field.path().replace('.', '_').toUpperCase(Locale.ROOT);
        assertThat(members.put(name, field.offset())).as("%s twice in %s", name, struct).isNull();
      }
      assertThat(offsetsOf(struct)).as("%s", struct).isEqualTo(members);
    }
  }

  @Test
  void membersLieInsideTheirStruct() {
    for (StructLayout layout : Layouts.all()) {
      assertThat(layout.fields()).as(layout.type()).isNotEmpty();
      assertThat(layout.fields())
          .as("%s of %d bytes", layout.type(), layout.size())
          .allMatch(field -> field.offset() >= 0 && field.size() > 0)
          .allMatch(field -> field.offset() + field.size() <= layout.size());
    }
  }

  private static StructLayout layoutOf(Class<?> struct) throws ReflectiveOperationException {
    return (StructLayout) struct.getField("LAYOUT").get(null);
  }

  private static Map<String, Long> offsetsOf(Class<?> struct) throws ReflectiveOperationException {
    Map<String, Long> offsets = new TreeMap<>();
    for (Field constant : struct.getFields()) {
      if (constant.getType() == long.class && Modifier.isStatic(constant.getModifiers())) {
        offsets.put(constant.getName(), constant.getLong(null));
      }
    }
    return offsets;
  }

  /** The compiled classes of the package that have a LAYOUT. */
  private static List<Class<?>> structs() throws ReflectiveOperationException {
    List<Class<?>> structs = new ArrayList<>();
    for (String name : classNames()) {
      Class<?> candidate = Class.forName(Layouts.class.getPackageName() + "." + name);
      if (Arrays.stream(candidate.getFields())
          .anyMatch(field -> field.getName().equals("LAYOUT"))) {
        structs.add(candidate);
      }
    }
    return structs;
  }

  private static List<String> classNames() {
    try {
      Path classes =
          Path.of(Layouts.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path folder = classes.resolve(Layouts.class.getPackageName().replace('.', '/'));
      try (Stream<Path> files = Files.list(folder)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
            .map(name -> name.substring(0, name.length() - ".class".length()))
            .toList();
      }
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
