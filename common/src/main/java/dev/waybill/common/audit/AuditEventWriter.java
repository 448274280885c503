package dev.waybill.common.audit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.limit.TokenBucket;
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
    // Of each caller: a client in a loop must not fill the table.
    private static final int REFUSED_BURST = 60;
    private static final long REFUSED_INTERVAL = Duration.ofSeconds(1).toNanos();
    private static final int MAX_CALLERS = 10_000;
    private static final long WARNING_INTERVAL = Duration.ofMinutes(1).toNanos();
    // A locked table must not keep connections of the pool. The response does not wait until the event is on disk: an event
    // that a crash of the database loses has its line.
    private static final String CONFIGURE = """
            SELECT set_config('statement_timeout', '2s', true), set_config('synchronous_commit', 'off', true)
            """;
    private static final String INSERT = """
            INSERT INTO account.audit_events (id, organization_id, tenant_id, service, actor, actor_id, method, route, path,
                resource_id, outcome, status, client_address, user_agent, request_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """;

    private final Database database;
    private final Ids ids;
    private final String service;
    private final Cache<String, TokenBucket> refused = Caffeine.newBuilder().maximumSize(MAX_CALLERS).build();
    private final TokenBucket warnings = new TokenBucket(System.nanoTime());
    private final AtomicLong failedWithoutWarning = new AtomicLong();

    AuditEventWriter(Database database, Ids ids, @ConfigProperty(name = "quarkus.application.name") String service) {
        this.database = database;
        this.ids = ids;
        this.service = service;
    }

    /** Stores the event within 2 s, unless its caller has too many refused ones; never fails. */
    Uni<Void> store(AuditEvent event) {
        if (!isAdmitted(event)) {
            return Uni.createFrom().voidItem();
        }
        return database.outsideWorkspaces(connection -> connection.query(CONFIGURE).execute()
                .chain(() -> connection.preparedQuery(INSERT).execute(values(event))))
                .ifNoItem().after(TIMEOUT).fail()
                .onFailure().invoke(failure -> log(event, failure))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }

    private boolean isAdmitted(AuditEvent event) {
        if (!event.outcome().equals(AuditEvent.REFUSED)) {
            return true;
        }
        Actor actor = event.actor();
        long now = System.nanoTime();
        return refused.get(actor.organizationId() + " " + actor.id(), ignored -> new TokenBucket(now))
                .take(now, REFUSED_INTERVAL, REFUSED_BURST) == 0;
    }

    // The request has logged the failure of its own statements.
    private void log(AuditEvent event, Throwable failure) {
        Integer status = event.status();
        if (status != null && status == UNAVAILABLE || warnings.take(System.nanoTime(), WARNING_INTERVAL, 1) > 0) {
            failedWithoutWarning.incrementAndGet();
            return;
        }
        LOG.warnf("an event of the audit log could not be stored, only its line exists: request_id=%s error=%s"
                + " failed_since_the_last_warning=%s", event.requestId(), failure, failedWithoutWarning.getAndSet(0));
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
