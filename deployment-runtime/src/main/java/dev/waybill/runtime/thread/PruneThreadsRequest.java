package dev.waybill.runtime.thread;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Body of {@code POST /threads/prune}. */
record PruneThreadsRequest(
        @NotNull(message = "is required") @Size(max = 1000, message = "must have at most 1000 elements") @Schema(required = true, description = "At most 1,000 ids; those of missing threads have no effect.") List<UUID> threadIds,
        @Nullable @Schema(defaultValue = "delete", description = "delete: deletes the threads; keep_latest: deletes all but their newest checkpoints.") Strategy strategy) {

    boolean keepsLatest() {
        return strategy == Strategy.KEEP_LATEST;
    }

    /** Effect on the threads. */
    @Schema(name = "PruneStrategy", enumeration = { "delete", "keep_latest" })
    enum Strategy {
        DELETE,
        KEEP_LATEST;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
