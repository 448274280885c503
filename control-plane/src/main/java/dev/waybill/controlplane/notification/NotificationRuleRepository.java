package dev.waybill.controlplane.notification;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.NotificationEvent;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes account.notification_rules. */
@Singleton
class NotificationRuleRepository {

    private static final String COLUMNS = """
            tenant_id, id, name, events, webhook, webhook_origin, email_to, enabled, created_at, updated_at
            """;
    private static final String INSERT = """
            INSERT INTO account.notification_rules (tenant_id, id, name, events, webhook, webhook_origin, email_to)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            RETURNING\s""" + COLUMNS;
    private static final String LIST = "SELECT " + COLUMNS + """
            FROM account.notification_rules WHERE tenant_id = $1
            ORDER BY created_at DESC, id
            """;
    private static final String COUNT = "SELECT count(*) AS present FROM account.notification_rules WHERE tenant_id = $1";
    static final String FIND = "SELECT " + COLUMNS + "FROM account.notification_rules WHERE tenant_id = $1 AND id = $2";
    private static final String UPDATE = """
            UPDATE account.notification_rules
            SET name = $3, events = $4, webhook = $5, webhook_origin = $6, email_to = $7, enabled = $8, updated_at = now()
            WHERE tenant_id = $1 AND id = $2
            RETURNING\s""" + COLUMNS;
    private static final String DELETE = "DELETE FROM account.notification_rules WHERE tenant_id = $1 AND id = $2";

    Uni<NotificationRule> insert(SqlConnection connection, NotificationRule rule) {
        return connection.preparedQuery(INSERT)
                .execute(values(rule))
                .map(rows -> rule(rows.iterator().next()));
    }

    Uni<List<NotificationRule>> list(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId))
                .map(rows -> Rows.list(rows, NotificationRuleRepository::rule));
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId))
                .map(rows -> rows.iterator().next().getLong("present"));
    }

    /** Returns the rule; fails with 404 if the workspace does not have it. */
    Uni<NotificationRule> require(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND, tenantId, id);
    }

    /** Returns the rule and locks it until the transaction ends. */
    Uni<NotificationRule> requireForUpdate(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND + " FOR UPDATE", tenantId, id);
    }

    Uni<NotificationRule> update(SqlConnection connection, NotificationRule changed) {
        return connection.preparedQuery(UPDATE)
                .execute(values(changed).addBoolean(changed.enabled()))
                .map(rows -> rule(rows.iterator().next()));
    }

    /** Deletes the rule with its deliveries; returns false if the workspace does not have it. */
    Uni<Boolean> delete(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE)
                .execute(Tuple.of(tenantId, id))
                .map(deleted -> deleted.rowCount() == 1);
    }

    private static Uni<NotificationRule> require(SqlConnection connection, String query, UUID tenantId, UUID id) {
        return connection.preparedQuery(query)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> Rows.findFirst(rows, NotificationRuleRepository::rule)
                        .orElseThrow(() -> ProblemException.notFound("notification rule", id)));
    }

    private static Tuple values(NotificationRule rule) {
        byte[] webhook = rule.webhook();
        List<String> emailTo = rule.emailTo();
        return Tuple.of(rule.tenantId(), rule.id(), rule.name())
                .addArrayOfString(rule.events().stream().map(NotificationEvent::toString).toArray(String[]::new))
                .addValue(webhook == null ? null : Buffer.buffer(webhook))
                .addString(rule.webhookOrigin())
                .addArrayOfString(emailTo == null ? null : emailTo.toArray(String[]::new));
    }

    static NotificationRule rule(Row row) {
        return new NotificationRule(row.getUUID("tenant_id"), row.getUUID("id"), row.getString("name"),
                events(row.getArrayOfStrings("events")),
                Rows.bytes(row, "webhook"), row.getString("webhook_origin"),
                texts(row.getArrayOfStrings("email_to")), row.getBoolean("enabled"),
                row.getOffsetDateTime("created_at").toInstant(), row.getOffsetDateTime("updated_at").toInstant());
    }

    // A newer release, beside this one, may have stored other events.
    private static List<NotificationEvent> events(String[] names) {
        return Arrays.stream(NotificationEvent.values())
                .filter(event -> Arrays.asList(names).contains(event.toString()))
                .toList();
    }

    private static @Nullable List<String> texts(String @Nullable [] array) {
        return array == null ? null : List.of(array);
    }
}
