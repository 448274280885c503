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

    private static final String TAKE = """
            INSERT INTO deploy.deliveries (tenant_id, integration_id, delivery, body_sha256)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """;
    private static final String SWEEP = """
            DELETE FROM deploy.deliveries WHERE received_at < now() - make_interval(secs => $1)
            """;

    /** Whether it is the first of that name and the first with that body. */
    Uni<Boolean> take(SqlConnection connection, UUID tenantId, UUID integrationId, String delivery, byte[] bodySha256) {
        return connection.preparedQuery(TAKE)
                .execute(Tuple.of(tenantId, integrationId, delivery, Buffer.buffer(bodySha256)))
                .map(inserted -> inserted.rowCount() == 1);
    }

    /** Forgets those that are older. */
    Uni<Void> sweep(SqlConnection connection, Duration age) {
        return connection.preparedQuery(SWEEP)
                .execute(Tuple.of((double) age.toSeconds()))
                .replaceWithVoid();
    }
}
