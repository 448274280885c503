package dev.waybill.export.job;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.export.destination.DestinationUsage;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Queries the exports of a destination. */
@Singleton
class DestinationUsageRepository implements DestinationUsage {

    private static final String USES = """
            SELECT EXISTS (
                SELECT FROM export.bulk_exports
                WHERE tenant_id = $1 AND destination_id = $2 AND status IN ('Created', 'Running', 'IntervalScheduled'))
            """;

    private static final String PROVEN = """
            UPDATE export.bulk_exports
            SET paused_at = NULL, pause_reason = NULL, proven_from = next_window, updated_at = now()
            WHERE tenant_id = $1 AND destination_id = $2 AND status = 'IntervalScheduled'
            """;

    @Override
    public Uni<Boolean> isUsedByUnfinishedExport(SqlConnection connection, UUID tenantId, UUID destinationId) {
        return connection.preparedQuery(USES)
                .execute(Tuple.of(tenantId, destinationId))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Resumes the schedules that use the destination and resets their failure counts. */
    @Override
    public Uni<Void> onValidated(SqlConnection connection, UUID tenantId, UUID destinationId) {
        return connection.preparedQuery(PROVEN)
                .execute(Tuple.of(tenantId, destinationId))
                .replaceWithVoid();
    }
}
