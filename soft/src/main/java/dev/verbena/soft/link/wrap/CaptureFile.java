package dev.verbena.soft.link.wrap;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.CaptureNotes;
import dev.verbena.wire.LinkType;
import dev.verbena.wire.PcapngWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A pcapng file being written, with an interface for each device of this process that names it. A
 * failed write does not stop the devices: the first failure is logged and ends the capture. Any
 * thread may add packets.
 */
final class CaptureFile {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.soft.link");
  private static final String FUNCTION = "openDevice";
  private static final int BUFFER_BYTES = 1 << 20;

  /** Those that are open, by their normal paths. Also the lock for opening and closing. */
  private static final Map<Path, CaptureFile> OPEN = new HashMap<>();

  private final Path path;

  /** The devices that write it now. */
  private final List<Address> devices = new CopyOnWriteArrayList<>();

  // Not a channel, which an interrupted thread would close for all.
  private final OutputStream file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final MemorySegment segment = MemorySegment.ofArray(buffer);
  private int used;
  private int interfaces;
  private boolean ended;

  /**
   * Starts a file, and replaces an existing one.
   *
   * @throws VerbsException ENOENT if the file's folder does not exist, EACCES if the file cannot be
   *     written for another reason
   */
  private CaptureFile(Path path) {
    this.path = path;
    try {
      this.file = new FileOutputStream(path.toFile());
    } catch (IOException e) {
      Path folder = path.toAbsolutePath().getParent();
      int errno = folder == null || Files.isDirectory(folder) ? Errno.EACCES : Errno.ENOENT;
      throw new VerbsException(
          FUNCTION, errno, "capture file " + path + " cannot be written: " + e.getMessage(), e);
    }
    used = PcapngWriter.writeSectionHeader(segment, 0);
    flush();
  }

  /**
   * The file for a device of this process, which replaces an existing one unless another device of
   * this process is writing it.
   *
   * @throws VerbsException ENOENT if the file's folder does not exist, EACCES if the file cannot be
   *     written for another reason
   */
  static Interface open(Path path, Address device) {
    Path normal = path.toAbsolutePath().normalize();
    synchronized (OPEN) {
      CaptureFile file = OPEN.get(normal);
      if (file == null) {
        file = new CaptureFile(normal);
        OPEN.put(normal, file);
      }
      return file.new Interface(device);
    }
  }

  /** The part of a device. */
  final class Interface implements AutoCloseable {
    private final Address device;
    private final int number;

    private Interface(Address device) {
      this.device = device;
      number = describe(CaptureNotes.INTERFACE + device);
      devices.add(device);
    }

    /**
     * Adds a packet.
     *
     * @param nanos wall-clock time, nanoseconds since 1970-01-01 UTC
     * @param headers IP and UDP header
     * @param body the datagram, from BTH to ICRC
     * @param comment UTF-8; empty for none
     */
    void add(long nanos, MemorySegment headers, MemorySegment body, byte[] comment) {
      CaptureFile.this.add(number, nanos, headers, body, comment);
    }

    /** The lock of the file: while it is held nobody else adds a packet. */
    Object order() {
      return CaptureFile.this;
    }

    /** Whether a device that writes this file has this address, and so adds what it sends. */
    boolean isSender(Address address) {
      return devices.contains(address);
    }

    /** Passes added packets to the operating system. */
    void flush() {
      CaptureFile.this.flush();
    }

    /** The device has ended; with the last one the file is complete. */
    @Override
    public void close() {
      synchronized (OPEN) {
        devices.remove(device);
        if (devices.isEmpty()) {
          OPEN.remove(path);
          end();
        } else {
          flush();
        }
      }
    }
  }

  private synchronized int describe(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    flush();
    used = PcapngWriter.writeInterfaceDescription(segment, 0, LinkType.RAW, 0, bytes);
    flush();
    return interfaces++;
  }

  private synchronized void add(
      int number, long nanos, MemorySegment headers, MemorySegment body, byte[] comment) {
    if (ended) {
      return;
    }
    int length = (int) (headers.byteSize() + body.byteSize());
    int block = PcapngWriter.enhancedPacketLength(length, comment);
    if (block > BUFFER_BYTES - used) {
      flush();
    }
    used += PcapngWriter.writeEnhancedPacket(segment, used, number, nanos, headers, body, comment);
  }

  private synchronized void flush() {
    if (ended || used == 0) {
      return;
    }
    try {
      file.write(buffer, 0, used);
    } catch (IOException e) {
      giveUp(e);
    }
    used = 0;
  }

  private synchronized void end() {
    flush();
    ended = true;
    try {
      file.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "capture file " + path + " may be incomplete", e);
    }
  }

  private void giveUp(IOException e) {
    ended = true;
    LOGGER.log(Level.WARNING, "capture to " + path + " stops: the file cannot be written", e);
  }
}
