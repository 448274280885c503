/**
 * Git client: resolves refs, and fetches and writes the files of a commit without running code of the repository.
 */
@NullMarked
package dev.waybill.controlplane.source.git;

import org.jspecify.annotations.NullMarked;
