package dev.waybill.runtime.thread;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Response of {@code POST /threads/prune}. */
record PruneThreadsResponse(
        @Schema(required = true, description = "Number of threads that were deleted, or whose checkpoints were pruned.") int prunedCount) {
}
