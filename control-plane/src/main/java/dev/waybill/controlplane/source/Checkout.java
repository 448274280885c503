package dev.waybill.controlplane.source;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of checking out a commit.
 *
 * @param commit the commit as its author describes it
 * @param entries number of files, folders and links
 * @param bytes total size of all files
 * @param submodules number of submodules, which are not fetched
 * @param lfsPointers number of Git LFS pointer files, whose content is not fetched
 */
public record Checkout(CommitDescription commit, int entries, long bytes, int submodules, int lfsPointers) {

    /** Returns messages for the user about content that was not fetched. */
    public List<String> warnings() {
        List<String> sentences = new ArrayList<>();
        if (submodules > 0) {
            sentences.add("Submodules are not fetched; their folders are empty: " + submodules + ".");
        }
        if (lfsPointers > 0) {
            sentences.add("Git LFS files are not fetched; the checkout has their pointer files: " + lfsPointers + ".");
        }
        return sentences;
    }
}
