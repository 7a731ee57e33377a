package dev.verbena.soft.link.wrap;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
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

/**
 * A pcapng file being written, with one interface. A failed write does not stop the device: the
 * first failure is logged and ends the capture. Any thread may add packets.
 */
final class CaptureFile implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.soft.link");
  private static final String FUNCTION = "openDevice";
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int INTERFACE = 0;

  private final Path path;
  // Not a channel, which an interrupted thread would close for all.
  private final OutputStream file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final MemorySegment segment = MemorySegment.ofArray(buffer);
  private int used;
  private boolean ended;

  /**
   * Starts a file, and replaces an existing one.
   *
   * @param interfaceName the name of the captured interface in the file
   * @throws VerbsException ENOENT if the file's folder does not exist, EACCES if the file cannot be
   *     written for another reason
   */
  CaptureFile(Path path, String interfaceName) {
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
    used +=
        PcapngWriter.writeInterfaceDescription(
            segment, used, LinkType.RAW, 0, interfaceName.getBytes(StandardCharsets.UTF_8));
    flush();
  }

  /**
   * Adds a packet.
   *
   * @param nanos wall-clock time, nanoseconds since 1970-01-01 UTC
   * @param headers IP and UDP header
   * @param body the datagram, from BTH to ICRC
   * @param comment UTF-8; empty for none
   */
  synchronized void add(long nanos, MemorySegment headers, MemorySegment body, byte[] comment) {
    if (ended) {
      return;
    }
    int length = (int) (headers.byteSize() + body.byteSize());
    int block = PcapngWriter.enhancedPacketLength(length, comment);
    if (block > BUFFER_BYTES - used) {
      flush();
    }
    used +=
        PcapngWriter.writeEnhancedPacket(segment, used, INTERFACE, nanos, headers, body, comment);
  }

  /** Passes added packets to the operating system. */
  synchronized void flush() {
    if (ended || used == 0) {
      return;
    }
    try {
      file.write(buffer, 0, used);
    } catch (IOException e) {
      end(e);
    }
    used = 0;
  }

  @Override
  public synchronized void close() {
    flush();
    ended = true;
    try {
      file.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "capture file " + path + " may be incomplete", e);
    }
  }

  private void end(IOException e) {
    ended = true;
    LOGGER.log(Level.WARNING, "capture to " + path + " stops: the file cannot be written", e);
  }
}
