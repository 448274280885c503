package dev.waybill.common.audit;

import java.time.Duration;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Stores events of the audit log in the table of control-plane. The log line is the complete record, so a failure to store an
 * event is only logged. Services without a database exclude this class.
 */
@Singleton
class AuditEventWriter {

    private static final Logger LOG = Logger.getLogger(AuditEventWriter.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int UNAVAILABLE = 503;
    // A locked table must not keep connections of the pool.
    private static final String LIMIT_STATEMENT = "SELECT set_config('statement_timeout', '2s', true)";
    private static final String INSERT = """
            INSERT INTO account.audit_events (id, organization_id, tenant_id, service, actor, actor_id, method, route, path,
                resource_id, outcome, status, client_address, user_agent, request_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """;

    private final Database database;
    private final Ids ids;
    private final String service;

    AuditEventWriter(Database database, Ids ids, @ConfigProperty(name = "quarkus.application.name") String service) {
        this.database = database;
        this.ids = ids;
        this.service = service;
    }

    /** Stores the event within 2 s; never fails. */
    Uni<Void> store(AuditEvent event) {
        return database.outsideWorkspaces(connection -> connection.query(LIMIT_STATEMENT).execute()
                .chain(() -> connection.preparedQuery(INSERT).execute(values(event))))
                .ifNoItem().after(TIMEOUT).fail()
                .onFailure().invoke(failure -> log(event, failure))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }

    // The request has logged the failure of its own statements.
    private static void log(AuditEvent event, Throwable failure) {
        Integer status = event.status();
        Logger.Level level = status != null && status == UNAVAILABLE ? Logger.Level.DEBUG : Logger.Level.WARN;
        LOG.logf(level, "an event of the audit log could not be stored, only its line exists: request_id=%s error=%s",
                event.requestId(), failure);
    }

    private Tuple values(AuditEvent event) {
        Actor actor = event.actor();
        return Tuple.tuple()
                .addUUID(ids.newId())
                .addUUID(actor.organizationId())
                .addUUID(actor.tenantId())
                .addString(service)
                .addString(actor.kind())
                .addString(actor.id())
                .addString(event.method())
                .addString(event.route())
                .addString(event.path())
                .addUUID(event.resourceId())
                .addString(event.outcome())
                .addInteger(event.status())
                .addString(event.client().address())
                .addString(event.client().userAgent())
                .addString(event.requestId());
    }
}
