package dev.waybill.controlplane.push;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.WebhookDeliveryResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.controlplane.push.WebhookAuthenticator.AuthenticatedPush;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The rows of deploy.deliveries. */
@Singleton
class DeliveryRepository {

    private static final int MAX_TEXT_LENGTH = 500;

    private static final String INSERT = """
            INSERT INTO deploy.deliveries (tenant_id, integration_id, delivery, body_sha256, ref)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING
            """;
    private static final String SET_DEPLOYMENTS = """
            UPDATE deploy.deliveries SET deployments = $4 WHERE tenant_id = $1 AND integration_id = $2 AND delivery = $3
            """;
    private static final String LIST = """
            SELECT delivery, ref, received_at, deployments
            FROM deploy.deliveries WHERE tenant_id = $1 AND integration_id = $2
            ORDER BY received_at DESC, delivery
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT = """
            SELECT count(*) AS present FROM deploy.deliveries WHERE tenant_id = $1 AND integration_id = $2
            """;
    private static final String DELETE_EXPIRED = """
            DELETE FROM deploy.deliveries WHERE received_at < now() - make_interval(secs => $1)
            """;

    /** Stores the delivery; returns false if its id or its body was received before. */
    Uni<Boolean> insertIfNew(SqlConnection connection, UUID tenantId, UUID integrationId, AuthenticatedPush push) {
        String ref = push.event().ref();
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(tenantId, integrationId, push.id(), Buffer.buffer(push.bodySha256()),
                        ref.isEmpty() ? null : storable(ref)))
                .map(inserted -> inserted.rowCount() == 1);
    }

    /** Stores which deployments the delivery rebuilt. */
    Uni<Void> setDeployments(SqlConnection connection, UUID tenantId, UUID integrationId, String delivery,
            List<UUID> deployments) {
        return connection.preparedQuery(SET_DEPLOYMENTS)
                .execute(Tuple.of(tenantId, integrationId, delivery, deployments.toArray(UUID[]::new)))
                .replaceWithVoid();
    }

    /** Lists the deliveries of an integration, newest first. */
    Uni<Page<WebhookDeliveryResponse>> list(SqlConnection connection, UUID tenantId, UUID integrationId,
            PageParameters page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, integrationId, page.limit(), page.offset()))
                .map(rows -> Rows.list(rows, DeliveryRepository::response))
                .chain(found -> connection.preparedQuery(COUNT)
                        .execute(Tuple.of(tenantId, integrationId))
                        .map(rows -> new Page<>(found, rows.iterator().next().getLong("present"))));
    }

    // PostgreSQL rejects U+0000, and names of refs have no maximum length.
    private static String storable(String text) {
        return text.substring(0, Math.min(text.length(), MAX_TEXT_LENGTH)).replaceAll("[\\p{Cc}\\p{Cs}]", " ");
    }

    private static WebhookDeliveryResponse response(Row row) {
        return new WebhookDeliveryResponse(row.getString("delivery"), row.getString("ref"),
                row.getOffsetDateTime("received_at").toInstant(), List.of(row.getArrayOfUUIDs("deployments")));
    }

    /** Deletes deliveries older than {@code age}. */
    Uni<Void> deleteExpired(SqlConnection connection, Duration age) {
        return connection.preparedQuery(DELETE_EXPIRED)
                .execute(Tuple.of((double) age.toSeconds()))
                .replaceWithVoid();
    }
}
