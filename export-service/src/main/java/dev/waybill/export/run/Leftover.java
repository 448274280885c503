package dev.waybill.export.run;

import java.util.UUID;

/**
 * A run that ended, or begins anew, while its bucket may hold uploads of it that nobody will complete.
 *
 * @param folder where the run's files go, and nothing else
 * @param sweeps how often it was tried to abort them
 */
public record Leftover(UUID tenantId, UUID exportId, UUID runId, UUID destinationId, String folder, int sweeps) {

    /** What earlier attempts at a run may have left. */
    public static Leftover before(Attempt attempt) {
        return new Leftover(attempt.lease().tenantId(), attempt.exportId(), attempt.lease().id(), attempt.destinationId(),
                attempt.folder(), 0);
    }
}
