package dev.waybill.export.job;

import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.function.BiConsumer;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.NotificationEvent;
import dev.waybill.common.notification.NotificationWriter;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores notifications of exports that failed and of schedules that were paused, in the transaction of the change. */
@Singleton
public class ExportNotifications {

    private static final String EXPORT = """
            SELECT e.id, e.source_bulk_export_id, e.session_id, s.name AS session_name, e.start_time, e.end_time, e.status,
                   e.failure_code, e.failure_message
            FROM export.bulk_exports AS e
            LEFT JOIN trace.sessions AS s ON s.tenant_id = e.tenant_id AND s.id = e.session_id
            WHERE e.tenant_id = $1 AND e.id = $2
            """;
    private static final String TIMED_OUT = "The export exceeded its maximum duration.";

    private final NotificationWriter notifications;

    ExportNotifications(NotificationWriter notifications) {
        this.notifications = notifications;
    }

    /** Stores that the export failed or timed out; its failure was stored before. */
    Uni<Void> failed(SqlConnection connection, UUID tenantId, UUID exportId) {
        return write(connection, tenantId, exportId, NotificationEvent.EXPORT_FAILED, (row, data) -> {
            String message = row.getString("failure_message");
            data.put("schedule_id", text(row.getUUID("source_bulk_export_id")))
                    .put("start_time", text(row.getOffsetDateTime("start_time")))
                    .put("end_time", text(row.getOffsetDateTime("end_time")))
                    .put("status", row.getString("status"))
                    .put("error_code", row.getString("failure_code"))
                    .put("error", message == null ? TIMED_OUT : message);
        });
    }

    /** Stores that the schedule was paused. */
    public Uni<Void> paused(SqlConnection connection, UUID tenantId, UUID scheduleId, String reason) {
        return write(connection, tenantId, scheduleId, NotificationEvent.SCHEDULE_PAUSED,
                (row, data) -> data.put("reason", reason));
    }

    private Uni<Void> write(SqlConnection connection, UUID tenantId, UUID id, NotificationEvent event,
            BiConsumer<Row, JsonObject> more) {
        return connection.preparedQuery(EXPORT)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> rows.iterator().next())
                .chain(row -> {
                    JsonObject data = new JsonObject()
                            .put("export_id", id.toString())
                            .put("session_id", row.getUUID("session_id").toString())
                            .put("session_name", row.getString("session_name"));
                    more.accept(row, data);
                    return notifications.write(connection, tenantId, event, data);
                });
    }

    private static @Nullable String text(@Nullable UUID id) {
        return id == null ? null : id.toString();
    }

    private static @Nullable String text(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant().toString();
    }
}
