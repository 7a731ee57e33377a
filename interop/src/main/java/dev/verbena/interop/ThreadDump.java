package dev.verbena.interop;

import java.io.PrintStream;
import java.util.Map;

/** The stacks of all threads. */
final class ThreadDump {
  static void print(PrintStream out) {
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      out.println(entry.getKey());
      for (StackTraceElement frame : entry.getValue()) {
        out.println("    at " + frame);
      }
    }
  }

  private ThreadDump() {}
}
