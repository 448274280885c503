package dev.waybill.export.destination;

import java.util.UUID;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Callbacks from destinations to the exports that use them. */
public interface DestinationUsage {

    /**
     * Returns whether an unfinished export uses the destination. Called within the transaction that deletes it, which holds the
     * lock on its row.
     */
    Uni<Boolean> isUsedByUnfinishedExport(SqlConnection connection, UUID tenantId, UUID destinationId);

    /**
     * Resumes what failed for an invalid destination. Called within the transaction that stores a successful validation, before
     * it locks the destination's row.
     */
    Uni<Void> onValidated(SqlConnection connection, UUID tenantId, UUID destinationId);
}
