package dev.waybill.controlplane.source;

/**
 * What was laid out of a commit.
 *
 * @param entries files, folders and links
 * @param bytes of all files
 * @param submodules that were left out
 */
public record Checkout(int entries, long bytes, int submodules) {
}
