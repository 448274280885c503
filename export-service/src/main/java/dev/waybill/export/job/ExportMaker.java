package dev.waybill.export.job;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.export.run.ExportRunService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Makes exports together with their runs, in the caller's transaction. */
@Singleton
class ExportMaker {

    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final PrefixWarnings warnings;
    private final Ids ids;
    private final IdempotentCreation mark;

    ExportMaker(BulkExportRepository exports, ExportRunService runs, PrefixWarnings warnings, Ids ids,
            IdempotentCreation mark) {
        this.exports = exports;
        this.runs = runs;
        this.warnings = warnings;
        this.ids = ids;
        this.mark = mark;
    }

    /** What was ordered; a schedule has no runs of its own. */
    Uni<UUID> ordered(SqlConnection connection, UUID tenantId, String keyPrefix, ExportOrder order) {
        UUID id = ids.newId();
        return warnings.of(connection, tenantId, keyPrefix, order)
                .chain(found -> exports.insert(connection, tenantId, id, keyPrefix, order, found))
                .chain(() -> order.intervalHours() == null
                        ? runs.plan(connection, tenantId, id, order.startTime(), order.endTime())
                        : Uni.createFrom().voidItem())
                .replaceWith(id);
    }

    /** A range as a schedule says. */
    Uni<UUID> spawned(SqlConnection connection, UUID tenantId, UUID scheduleId, Range range, @Nullable Long windowNumber) {
        UUID id = ids.newId();
        return exports.insertSpawned(connection, tenantId, id, scheduleId, range, windowNumber)
                .chain(() -> runs.plan(connection, tenantId, id, range.startTime(), range.endTime()))
                .replaceWith(id);
    }

    /** Notes what the request made, for its idempotency key. */
    Uni<Void> mark(SqlConnection connection, UUID id) {
        return mark.recordCreated(id, connection);
    }
}
