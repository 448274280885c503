package dev.waybill.controlplane.deployment;

import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.security.ApiKey;
import dev.waybill.controlplane.account.ApplicationKeys;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * What applications trace into their workspace with. A deployment has it from its first revision on, or, when it was made
 * before there were such keys, from its next one. Kept sealed, and opened for the engine alone.
 */
@Singleton
class TracingKeys {

    /** As the runtime knows it. */
    private static final String VARIABLE = "WAYBILL_TRACING_KEY";
    private static final String KEEP = """
            UPDATE deploy.deployments SET platform_secrets = $3 WHERE tenant_id = $1 AND id = $2
            """;

    private final ApplicationKeys keys;
    private final EnvironmentEncryptor safe;

    TracingKeys(ApplicationKeys keys, EnvironmentEncryptor safe) {
        this.keys = keys;
        this.safe = safe;
    }

    /** In the transaction of whoever holds the deployment's row. */
    Uni<Void> give(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return keys.make(connection, tenantId, deploymentId)
                .chain(made -> made.isEmpty() ? Uni.createFrom().voidItem()
                        : keep(connection, tenantId, deploymentId, made.get()));
    }

    Uni<Void> revoke(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return keys.revoke(connection, tenantId, deploymentId);
    }

    private Uni<Void> keep(SqlConnection connection, UUID tenantId, UUID deploymentId, ApiKey key) {
        byte[] sealed = safe.seal(Map.of(VARIABLE, key.reveal()), tenantId, deploymentId);
        return connection.preparedQuery(KEEP)
                .execute(Tuple.of(tenantId, deploymentId, Buffer.buffer(sealed)))
                .replaceWithVoid();
    }
}
