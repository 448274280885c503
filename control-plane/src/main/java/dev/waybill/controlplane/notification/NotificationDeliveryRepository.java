package dev.waybill.controlplane.notification;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.DeliveryStatus;
import dev.waybill.common.api.notification.NotificationDeliveryResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.common.notification.NotificationWriter;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes account.notification_deliveries. */
@Singleton
class NotificationDeliveryRepository {

    private static final int MAX_PER_WORKSPACE = 4;
    private static final int MAX_ERROR_LENGTH = 500;

    // The workspaces with the fewest deliveries in progress come first, and in a workspace first attempts before retries, so
    // that an unreachable receiver does not delay others. The recursion reads one index entry for each workspace instead of
    // all pending deliveries.
    static final String DUE = """
            WITH RECURSIVE waiting AS (
                (SELECT tenant_id FROM account.notification_deliveries WHERE status = 'pending' ORDER BY tenant_id LIMIT 1)
                UNION ALL
                SELECT (SELECT n.tenant_id
                        FROM account.notification_deliveries AS n
                        WHERE n.status = 'pending' AND n.tenant_id > w.tenant_id
                        ORDER BY n.tenant_id
                        LIMIT 1)
                FROM waiting AS w
                WHERE w.tenant_id IS NOT NULL)
            SELECT next.tenant_id, next.id
            FROM waiting
            CROSS JOIN LATERAL (
                SELECT count(*) AS deliveries
                FROM account.notification_deliveries AS h
                WHERE h.tenant_id = waiting.tenant_id AND h.lease_until IS NOT NULL AND h.lease_until >= clock_timestamp()) AS held
            CROSS JOIN LATERAL (
                SELECT t.tenant_id, t.id, t.attempts, t.next_attempt_at
                FROM account.notification_deliveries AS t
                WHERE t.tenant_id = waiting.tenant_id AND t.status = 'pending'
                    AND t.next_attempt_at <= (SELECT clock_timestamp())
                    AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp())
                ORDER BY t.attempts, t.next_attempt_at
                LIMIT 1
                FOR UPDATE SKIP LOCKED) AS next
            WHERE held.deliveries < %s
            ORDER BY held.deliveries, next.attempts, next.next_attempt_at
            LIMIT $3"""
            .formatted(MAX_PER_WORKSPACE);
    private static final String LOAD = """
            SELECT r.*, d.id AS delivery_id, d.type, d.data, d.attempts, d.created_at AS delivery_created_at
            FROM account.notification_deliveries AS d
            JOIN account.notification_rules AS r ON r.tenant_id = d.tenant_id AND r.id = d.rule_id
            WHERE d.tenant_id = $1 AND d.id = $2 AND d.lease_token = $3 AND d.status = 'pending'
            """;
    private static final String END = """
            UPDATE account.notification_deliveries
            SET status = $4, attempts = attempts + 1, error = $5, finished_at = clock_timestamp(), lease_until = NULL,
                lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'pending'
            """;
    private static final String RETRY = """
            UPDATE account.notification_deliveries
            SET attempts = attempts + 1, error = $4, next_attempt_at = clock_timestamp() + make_interval(secs => $5),
                lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'pending'
            """;
    private static final String FAIL_PENDING = """
            UPDATE account.notification_deliveries
            SET status = 'failed', error = $3, finished_at = clock_timestamp(), lease_token = lease_token + 1,
                lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND rule_id = $2 AND status = 'pending'
            """;
    private static final String COLUMNS = " id, type, status, attempts, error, created_at, next_attempt_at, finished_at ";
    private static final String INSERT_TEST = """
            INSERT INTO account.notification_deliveries (tenant_id, id, rule_id, type, data)
            SELECT $1, $3, $2, 'test', '{}'
            WHERE $4 > (SELECT count(*) FROM account.notification_deliveries
                WHERE tenant_id = $1 AND rule_id = $2 AND status = 'pending')
            RETURNING""" + COLUMNS;
    private static final String LIST = "SELECT" + COLUMNS + """
            FROM account.notification_deliveries WHERE tenant_id = $1 AND rule_id = $2
            ORDER BY created_at DESC, id
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT = """
            SELECT count(*) AS present FROM account.notification_deliveries WHERE tenant_id = $1 AND rule_id = $2
            """;
    private static final String DELETE_EXPIRED = """
            DELETE FROM account.notification_deliveries WHERE finished_at < now() - make_interval(secs => $1)
            """;

    private final LeaseTable leases = new LeaseTable("account.notification_deliveries", DUE);

    LeaseTable leases() {
        return leases;
    }

    /** Returns the claimed delivery; empty if it was deleted or ended since. */
    Uni<Optional<NotificationDelivery>> load(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(LOAD)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .map(rows -> Rows.findFirst(rows, NotificationDeliveryRepository::delivery));
    }

    /** Ends the delivery, unless the lease was lost. */
    Uni<Void> end(SqlConnection connection, Lease lease, DeliveryStatus status, @Nullable String error) {
        return connection.preparedQuery(END)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), status.toString(), storable(error)))
                .replaceWithVoid();
    }

    /** Stores a failed attempt and when the next one is due, unless the lease was lost. */
    Uni<Void> retry(SqlConnection connection, Lease lease, String error, Duration delay) {
        return connection.preparedQuery(RETRY)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), storable(error), delay.toMillis() / 1000.0))
                .replaceWithVoid();
    }

    /** Fails the pending deliveries of a rule, also those in progress. */
    Uni<Void> failPending(SqlConnection connection, UUID tenantId, UUID ruleId, String error) {
        return connection.preparedQuery(FAIL_PENDING)
                .execute(Tuple.of(tenantId, ruleId, error))
                .replaceWithVoid();
    }

    /** Stores a test notification; fails with 409 if the rule has the maximum number of pending deliveries. */
    Uni<NotificationDeliveryResponse> insertTest(SqlConnection connection, UUID tenantId, UUID ruleId, UUID id) {
        return connection.preparedQuery(INSERT_TEST)
                .execute(Tuple.of(tenantId, ruleId, id, (long) NotificationWriter.MAX_PENDING))
                .map(rows -> Rows.findFirst(rows, NotificationDeliveryRepository::response)
                        .orElseThrow(() -> ProblemException.conflict("The rule has " + NotificationWriter.MAX_PENDING
                                + " pending deliveries; fix its webhook or addresses, or disable it to discard them.")));
    }

    Uni<Page<NotificationDeliveryResponse>> list(SqlConnection connection, UUID tenantId, UUID ruleId, PageParameters page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, ruleId, page.limit(), page.offset()))
                .map(rows -> Rows.list(rows, NotificationDeliveryRepository::response))
                .chain(found -> count(connection, tenantId, ruleId).map(total -> new Page<>(found, total)));
    }

    private static Uni<Long> count(SqlConnection connection, UUID tenantId, UUID ruleId) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId, ruleId))
                .map(rows -> rows.iterator().next().getLong("present"));
    }

    /** Deletes deliveries that ended before {@code age}. */
    Uni<Void> deleteExpired(SqlConnection connection, Duration age) {
        return connection.preparedQuery(DELETE_EXPIRED)
                .execute(Tuple.of((double) age.toSeconds()))
                .replaceWithVoid();
    }

    // PostgreSQL rejects U+0000.
    private static @Nullable String storable(@Nullable String error) {
        return error == null ? null
                : error.substring(0, Math.min(error.length(), MAX_ERROR_LENGTH)).replaceAll("[\\p{Cc}\\p{Cs}]", " ");
    }

    private static NotificationDelivery delivery(Row row) {
        return new NotificationDelivery(NotificationRuleRepository.rule(row), row.getUUID("delivery_id"),
                row.getString("type"), row.getString("data"), row.getInteger("attempts"),
                row.getOffsetDateTime("delivery_created_at").toInstant());
    }

    private static NotificationDeliveryResponse response(Row row) {
        DeliveryStatus status = DeliveryStatus.parse(row.getString("status"));
        return new NotificationDeliveryResponse(row.getUUID("id"), row.getString("type"), status, row.getInteger("attempts"),
                row.getString("error"), row.getOffsetDateTime("created_at").toInstant(),
                status == DeliveryStatus.PENDING ? Rows.instant(row, "next_attempt_at") : null,
                Rows.instant(row, "finished_at"));
    }
}
