package dev.verbena.verbs;

/**
 * Information about a device other than its ports. An unknown text is empty.
 *
 * @param nodeType kind of node
 * @param nodeGuid GUID of the node
 * @param sysImageGuid GUID of the system to which it belongs
 * @param nodeDesc description of itself
 * @param fwVer firmware version
 * @param hwVer hardware version
 * @param boardId the vendor's name of the board
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
