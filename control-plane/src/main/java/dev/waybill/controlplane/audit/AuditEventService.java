package dev.waybill.controlplane.audit;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.audit.AuditEventPageResponse;
import dev.waybill.common.api.audit.AuditEventResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.security.Caller;
import io.smallrye.mutiny.Uni;

/** Lists stored events of the audit log, and deletes expired ones. */
@Singleton
class AuditEventService {

    /** Each batch is a transaction. */
    private static final int BATCH_SIZE = 1_000;

    private final Database database;
    private final AuditEventRepository events;
    private final AuditRetentionConfig config;

    AuditEventService(Database database, AuditEventRepository events, AuditRetentionConfig config) {
        this.database = database;
        this.events = events;
        this.config = config;
    }

    /** Lists events of the workspace and, for a key of the whole organization, those without a workspace. */
    Uni<AuditEventPageResponse> list(Caller caller, UUID tenantId, AuditEventQuery query) {
        UUID organizationId = caller.boundToWorkspace() ? null : caller.organizationId();
        return database
                .inWorkspace(tenantId,
                        connection -> events.list(connection, tenantId, organizationId, query, query.limit() + 1))
                .map(found -> page(found, query.limit()));
    }

    private static AuditEventPageResponse page(List<AuditEventResponse> found, int limit) {
        if (found.size() <= limit) {
            return new AuditEventPageResponse(found, null);
        }
        AuditEventResponse last = found.get(limit - 1);
        return new AuditEventPageResponse(found.subList(0, limit),
                new AuditEventPosition(last.occurredAt(), last.id()).toCursor());
    }

    /** Deletes all events that are older than the retention. */
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> events.deleteExpired(connection, config.retention(), BATCH_SIZE))
                .repeat().until(deleted -> deleted < BATCH_SIZE)
                .collect().last()
                .replaceWithVoid();
    }
}
