package dev.verbena.verbs;

/**
 * One entry of a GID table (struct ibv_gid_entry).
 *
 * @param gid the GID
 * @param gidIndex its index in the port's table
 * @param portNum the port, from 1
 * @param gidType kind of GID
 * @param ndevIfindex index of the network interface that carries the address; 0 if there is none
 */
public record GidEntry(Gid gid, int gidIndex, int portNum, GidType gidType, int ndevIfindex) {
  @Override
  public String toString() {
    return FieldText.of("gid_entry", this);
  }
}
