package dev.waybill.export.job;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.export.run.ExportRunService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Inserts exports and their runs in the caller's transaction. */
@Singleton
class ExportCreator {

    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final PrefixWarnings warnings;
    private final Ids ids;
    private final IdempotentCreation idempotency;

    ExportCreator(BulkExportRepository exports, ExportRunService runs, PrefixWarnings warnings, Ids ids,
            IdempotentCreation idempotency) {
        this.exports = exports;
        this.runs = runs;
        this.warnings = warnings;
        this.ids = ids;
        this.idempotency = idempotency;
    }

    /** Creates a requested export; a scheduled export has no runs of its own. */
    Uni<UUID> create(SqlConnection connection, UUID tenantId, String keyPrefix, ExportSpec spec) {
        UUID id = ids.newId();
        return warnings.of(connection, tenantId, keyPrefix, spec)
                .chain(warningsFound -> exports.insert(connection, tenantId, id, keyPrefix, spec, warningsFound))
                .chain(() -> spec.intervalHours() == null
                        ? runs.plan(connection, tenantId, id, spec.startTime(), spec.endTime())
                        : Uni.createFrom().voidItem())
                .replaceWith(id);
    }

    /** Creates an export of a range with the settings of a schedule. */
    Uni<UUID> spawn(SqlConnection connection, UUID tenantId, UUID scheduleId, TimeRange range, @Nullable Long windowNumber) {
        UUID id = ids.newId();
        return exports.insertSpawned(connection, tenantId, id, scheduleId, range, windowNumber)
                .chain(() -> runs.plan(connection, tenantId, id, range.startTime(), range.endTime()))
                .replaceWith(id);
    }

    /** Stores the created id for the idempotency key of the request. */
    Uni<Void> recordCreation(SqlConnection connection, UUID id) {
        return idempotency.recordCreated(id, connection);
    }
}
