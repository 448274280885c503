package dev.waybill.runtime.run;

import java.util.Locale;
import java.util.Set;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Status of a run (contract.md "Deployed application"), with its allowed transitions. */
@Schema(enumeration = { "pending", "running", "success", "error", "timeout", "interrupted" })
public enum RunStatus {
    /** Created, or waiting for its delay. */
    PENDING("RUNNING", "ERROR", "TIMEOUT", "INTERRUPTED"),
    /** Started in its worker. */
    RUNNING("SUCCESS", "ERROR", "TIMEOUT", "INTERRUPTED"),
    /** Succeeded. */
    SUCCESS,
    /** Failed. */
    ERROR,
    /** Exceeded the timeout. */
    TIMEOUT,
    /** Cancelled, or stopped by a shutdown of the runtime. */
    INTERRUPTED;

    private final Set<String> successors;

    RunStatus(String... successors) {
        this.successors = Set.of(successors);
    }

    boolean canBecome(RunStatus next) {
        return successors.contains(next.name());
    }

    public boolean isFinal() {
        return successors.isEmpty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
