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
 * API keys that deployments send traces with. A deployment gets its key with its first revision, or with its next one
 * if it is older than this feature. Stored encrypted; decrypted only for the engine.
 */
@Singleton
class TracingKeys {

    /** The runtime's environment variable. */
    private static final String VARIABLE = "WAYBILL_TRACING_KEY";
    private static final String UPDATE = """
            UPDATE deploy.deployments SET platform_secrets = $3 WHERE tenant_id = $1 AND id = $2
            """;

    private final ApplicationKeys keys;
    private final EnvironmentEncryptor encryptor;

    TracingKeys(ApplicationKeys keys, EnvironmentEncryptor encryptor) {
        this.keys = keys;
        this.encryptor = encryptor;
    }

    /** Creates and stores the deployment's key if it has none; the caller holds the lock of the deployment's row. */
    Uni<Void> provision(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return keys.create(connection, tenantId, deploymentId)
                .chain(created -> created.isEmpty() ? Uni.createFrom().voidItem()
                        : store(connection, tenantId, deploymentId, created.get()));
    }

    Uni<Void> revoke(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return keys.revoke(connection, tenantId, deploymentId);
    }

    private Uni<Void> store(SqlConnection connection, UUID tenantId, UUID deploymentId, ApiKey key) {
        byte[] encrypted = encryptor.encrypt(Map.of(VARIABLE, key.reveal()), tenantId, deploymentId);
        return connection.preparedQuery(UPDATE)
                .execute(Tuple.of(tenantId, deploymentId, Buffer.buffer(encrypted)))
                .replaceWithVoid();
    }
}
