package dev.waybill.export.run;

import java.util.UUID;

/**
 * A run that ended or starts a new attempt, whose bucket may contain orphaned uploads of earlier attempts.
 *
 * @param folder folder of the run's files; no other run writes there
 * @param tries number of cleanups so far
 */
public record CleanupTask(UUID tenantId, UUID exportId, UUID runId, UUID destinationId, String folder, int tries) {

    /** Returns the cleanup task for earlier attempts of a run. */
    public static CleanupTask before(Attempt attempt) {
        return new CleanupTask(attempt.lease().tenantId(), attempt.exportId(), attempt.lease().id(), attempt.destinationId(),
                attempt.folder(), 0);
    }
}
