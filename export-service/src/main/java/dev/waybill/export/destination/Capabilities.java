package dev.waybill.export.destination;

/**
 * What a destination's credentials allow beside writing, as it was found when they were validated (interface.md 4.2 rule 4).
 *
 * @param read so that the size of what was written can be verified
 * @param delete so that the test object and wrong objects can be removed
 * @param abort so that uploads that are given up leave nothing behind
 * @param listUploads so that such left-overs can be found
 */
public record Capabilities(boolean read, boolean delete, boolean abort, boolean listUploads) {
}
