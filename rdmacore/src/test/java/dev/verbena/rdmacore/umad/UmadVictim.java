package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.VerbsException;

/** A program that may not call native functions, to which libibumad is as good as missing. */
final class UmadVictim {
  public static void main(String[] args) {
    System.out.println("nodes " + new UmadProvider().devices());
    System.out.println("devices " + Rdma.getDevices());
    for (int attempt = 0; attempt < 2; attempt++) {
      try {
        Libibumad.require("umad_open_port");
        System.out.println("available");
      } catch (VerbsException e) {
        System.out.println(e.errno() + " " + e.getMessage());
      }
    }
  }

  private UmadVictim() {}
}
