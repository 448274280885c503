package dev.waybill.controlplane.push;

import java.time.Duration;
import java.util.UUID;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The rows of deploy.deliveries. */
@Singleton
class DeliveryRepository {

    private static final String INSERT = """
            INSERT INTO deploy.deliveries (tenant_id, integration_id, delivery, body_sha256)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """;
    private static final String DELETE_EXPIRED = """
            DELETE FROM deploy.deliveries WHERE received_at < now() - make_interval(secs => $1)
            """;

    /** Stores the delivery; returns false if its id or its body was received before. */
    Uni<Boolean> insertIfNew(SqlConnection connection, UUID tenantId, UUID integrationId, String delivery, byte[] bodySha256) {
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(tenantId, integrationId, delivery, Buffer.buffer(bodySha256)))
                .map(inserted -> inserted.rowCount() == 1);
    }

    /** Deletes deliveries older than {@code age}. */
    Uni<Void> deleteExpired(SqlConnection connection, Duration age) {
        return connection.preparedQuery(DELETE_EXPIRED)
                .execute(Tuple.of((double) age.toSeconds()))
                .replaceWithVoid();
    }
}
