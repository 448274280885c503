package dev.waybill.common.notification;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.notification.NotificationEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores a delivery for every rule of the workspace that asks for an event, in the transaction of the event. */
@Singleton
public class NotificationWriter {

    /** Maximum number of pending deliveries of one rule; further events are not stored for it. */
    public static final int MAX_PENDING = 1_000;

    // Another service creates the table; a service that is updated before it must not fail.
    private static final String IS_AVAILABLE = """
            SELECT to_regclass('account.notification_deliveries') IS NOT NULL AS available
            """;
    // The lock waits for a concurrent change of a rule and skips one that was deleted or disabled.
    private static final String WRITE = """
            INSERT INTO account.notification_deliveries (tenant_id, id, rule_id, type, data)
            SELECT r.tenant_id, gen_random_uuid(), r.id, $2, $3
            FROM account.notification_rules AS r
            WHERE r.tenant_id = $1 AND r.enabled AND $2 = ANY (r.events)
                AND $4 > (SELECT count(*) FROM account.notification_deliveries AS d
                    WHERE d.tenant_id = r.tenant_id AND d.rule_id = r.id AND d.status = 'pending')
            FOR KEY SHARE OF r
            """;

    private volatile boolean available;

    /**
     * Stores the event.
     *
     * @param data what the receiver needs to know, with member names in snake_case; must not contain secrets
     */
    public Uni<Void> write(SqlConnection connection, UUID tenantId, NotificationEvent event, JsonObject data) {
        return isAvailable(connection)
                .chain(present -> !present ? Uni.createFrom().voidItem()
                        : connection.preparedQuery(WRITE)
                                .execute(Tuple.of(tenantId, event.toString(), data.encode(), (long) MAX_PENDING))
                                .replaceWithVoid());
    }

    private Uni<Boolean> isAvailable(SqlConnection connection) {
        return available ? Uni.createFrom().item(true)
                : connection.query(IS_AVAILABLE).execute()
                        .map(rows -> rows.iterator().next().getBoolean("available"))
                        .invoke(present -> available = present);
    }
}
