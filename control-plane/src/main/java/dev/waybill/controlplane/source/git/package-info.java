/**
 * Repositories: what a reference names, and the files of a commit, fetched and written without running anything of theirs.
 */
@NullMarked
package dev.waybill.controlplane.source.git;

import org.jspecify.annotations.NullMarked;
