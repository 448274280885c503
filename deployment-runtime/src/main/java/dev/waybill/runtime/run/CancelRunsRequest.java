package dev.waybill.runtime.run;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.RunStorage;

/** Body of {@code POST /runs/cancel}. */
public record CancelRunsRequest(
        @Nullable @Schema(description = "Thread of the runs. Required with run_ids; with status, selects its runs only.") UUID threadId,
        @Nullable @Size(max = 1000, message = "must have at most 1000 elements") @Schema(description = "Runs of the thread; an alternative to status.") List<UUID> runIds,
        @Nullable @Schema(description = "Selects all pending, all running, or all of these runs; an alternative to run_ids.") Selected status) {

    boolean namesRuns() {
        return runIds != null && !runIds.isEmpty();
    }

    /** Status of the selected runs. */
    @Schema(name = "CancelledStatus", enumeration = { "pending", "running", "all" })
    public enum Selected {
        PENDING(RunStorage.Status.PENDING),
        RUNNING(RunStorage.Status.RUNNING),
        ALL(null);

        private final RunStorage.@Nullable Status status;

        Selected(RunStorage.@Nullable Status status) {
            this.status = status;
        }

        /** Returns the status; null: pending or running. */
        RunStorage.@Nullable Status status() {
            return status;
        }

        boolean includes(RunStatus of) {
            return !of.isFinal() && (status == null || status.name().equals(of.name()));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
