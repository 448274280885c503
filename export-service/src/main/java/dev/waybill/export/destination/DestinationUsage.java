package dev.waybill.export.destination;

import java.util.UUID;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Who knows of exports tells whether a destination is still needed. */
public interface DestinationUsage {

    /** Asked within the transaction that deletes the destination, whose row is locked by then. */
    Uni<Boolean> isUsedByUnfinishedExport(SqlConnection connection, UUID tenantId, UUID destinationId);

    /** Told within the transaction that notes that the destination was found to work, before that locks its row. */
    Uni<Void> onValidated(SqlConnection connection, UUID tenantId, UUID destinationId);
}
