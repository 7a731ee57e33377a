package dev.verbena.dropin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The exports of a 64-bit little-endian shared library. */
final class ElfSymbols {
  /** Types of sections. */
  private static final int DYNSYM = 11;

  private static final int VERSION_DEFINITIONS = 0x6ffffffd;
  private static final int VERSIONS = 0x6fffffff;

  private static final int SECTION_TYPE = 4;
  private static final int SECTION_OFFSET = 24;
  private static final int SECTION_SIZE = 32;
  private static final int SECTION_LINK = 40;
  private static final int SYMBOL_SIZE = 24;
  private static final int ABSOLUTE = 0xfff1;

  private final ByteBuffer file;

  private ElfSymbols(ByteBuffer file) {
    this.file = file;
  }

  /** The type of each symbol, named as in "ibv_open_device@IBVERBS_1.1": 1 data, 2 function. */
  static Map<String, Integer> exportedBy(Path library) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(library));
    return new ElfSymbols(bytes.order(ByteOrder.LITTLE_ENDIAN)).exported();
  }

  private Map<String, Integer> exported() {
    int symbols = section(DYNSYM);
    long names = offset(linked(symbols));
    long versions = offset(section(VERSIONS));
    Map<Integer, String> nodes = nodes();
    Map<String, Integer> exported = new TreeMap<>();
    long count = size(symbols) / SYMBOL_SIZE;
    for (int i = 1; i < count; i++) {
      int symbol = (int) offset(symbols) + i * SYMBOL_SIZE;
      int place = Short.toUnsignedInt(file.getShort(symbol + 6));
      int node = file.getShort((int) versions + 2 * i) & 0x7fff;
      if (place != 0 && place != ABSOLUTE && nodes.containsKey(node)) {
        exported.put(
            text(names + file.getInt(symbol)) + "@" + nodes.get(node), file.get(symbol + 4) & 0xf);
      }
    }
    return exported;
  }

  /** The names of the versions that this library defines, by their numbers. */
  private Map<Integer, String> nodes() {
    int section = section(VERSION_DEFINITIONS);
    long names = offset(linked(section));
    Map<Integer, String> nodes = new HashMap<>();
    int node = (int) offset(section);
    int next;
    do {
      int name = node + file.getInt(node + 12);
      nodes.put((int) file.getShort(node + 4), text(names + file.getInt(name)));
      next = file.getInt(node + 16);
      node += next;
    } while (next != 0);
    return nodes;
  }

  /** Offset of the header of the first section of a type. */
  private int section(int type) {
    int count = file.getShort(60);
    for (int i = 0; i < count; i++) {
      if (file.getInt(header(i) + SECTION_TYPE) == type) {
        return header(i);
      }
    }
    throw new IllegalArgumentException("no section of type 0x" + Integer.toHexString(type));
  }

  private int header(int index) {
    return (int) file.getLong(40) + index * file.getShort(58);
  }

  private int linked(int section) {
    return header(file.getInt(section + SECTION_LINK));
  }

  private long offset(int section) {
    return file.getLong(section + SECTION_OFFSET);
  }

  private long size(int section) {
    return file.getLong(section + SECTION_SIZE);
  }

  private String text(long offset) {
    StringBuilder text = new StringBuilder();
    for (int i = (int) offset; file.get(i) != 0; i++) {
      text.append((char) file.get(i));
    }
    return text.toString();
  }
}
