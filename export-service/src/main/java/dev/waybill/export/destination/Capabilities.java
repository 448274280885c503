package dev.waybill.export.destination;

/**
 * The optional operations that a destination's credentials allow, as found by the last validation (interface.md 4.2 rule 4).
 *
 * @param read required to verify the size of written objects
 * @param delete required to remove the test object and invalid objects
 * @param abort required to remove the parts of abandoned uploads
 * @param listUploads required to find abandoned uploads
 */
public record Capabilities(boolean read, boolean delete, boolean abort, boolean listUploads) {
}
