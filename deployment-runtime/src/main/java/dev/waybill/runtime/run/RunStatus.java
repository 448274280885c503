package dev.waybill.runtime.run;

import java.util.Locale;
import java.util.Set;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Where a run stands (contract.md "Deployed application"), and where it may go from there. */
@Schema(enumeration = { "pending", "running", "success", "error", "timeout", "interrupted" })
public enum RunStatus {
    /** Waits for its time. */
    PENDING("RUNNING", "ERROR", "TIMEOUT", "INTERRUPTED"),
    /** With its worker. */
    RUNNING("SUCCESS", "ERROR", "TIMEOUT", "INTERRUPTED"),
    /** It went through. */
    SUCCESS,
    /** It failed. */
    ERROR,
    /** It took longer than allowed. */
    TIMEOUT,
    /** It was cancelled. */
    INTERRUPTED;

    private final Set<String> successors;

    RunStatus(String... successors) {
        this.successors = Set.of(successors);
    }

    boolean mayBecome(RunStatus next) {
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
