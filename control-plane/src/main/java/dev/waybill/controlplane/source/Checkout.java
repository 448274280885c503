package dev.waybill.controlplane.source;

import java.util.ArrayList;
import java.util.List;

/**
 * What was laid out of a commit.
 *
 * @param entries files, folders and links
 * @param bytes of all files
 * @param submodules that were left out
 * @param pointers files that Git LFS keeps elsewhere, which are what git has of them
 */
public record Checkout(int entries, long bytes, int submodules, int pointers) {

    /** What of the repository is not there, for its user. */
    public List<String> leftOut() {
        List<String> sentences = new ArrayList<>();
        if (submodules > 0) {
            sentences.add("Submodules are not fetched; their folders are empty: " + submodules + ".");
        }
        if (pointers > 0) {
            sentences.add("Files of Git LFS are not fetched; in their places are its pointers: " + pointers + ".");
        }
        return sentences;
    }
}
