package dev.verbena.verbs;

/**
 * What is known of a device besides its ports. A text that nobody tells is empty.
 *
 * @param nodeType kind of node
 * @param nodeGuid GUID of the node
 * @param sysImageGuid GUID of the system that it is a part of
 * @param nodeDesc what it says of itself
 * @param fwVer firmware version
 * @param hwVer hardware version
 * @param boardId what the vendor calls the board
 * @param hcaType kind of adapter
 * @param physPortCount ports
 */
public record NodeSnapshot(
    NodeType nodeType,
    Guid nodeGuid,
    Guid sysImageGuid,
    String nodeDesc,
    String fwVer,
    String hwVer,
    String boardId,
    String hcaType,
    int physPortCount) {}
