package dev.waybill.controlplane.deployment;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.ResourceSpec;
import dev.waybill.common.database.Rows;
import dev.waybill.controlplane.account.TracingKeys;
import dev.waybill.controlplane.engine.ThreadSettings;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import dev.waybill.controlplane.thread.ThreadRoles;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The platform's secrets of a deployment: its tracing key, and the password of its database role. They are stored encrypted and
 * decrypted only for the engine.
 */
@Singleton
class PlatformSecrets {

    private static final String READ = """
            SELECT platform_secrets FROM deploy.deployments WHERE tenant_id = $1 AND id = $2
            """;
    private static final String STORE = """
            UPDATE deploy.deployments SET platform_secrets = $3 WHERE tenant_id = $1 AND id = $2
            """;
    /** The current revisions keep the variables that they have: others would change the pods of the active one. */
    private static final String LIMIT_EARLIER = """
            UPDATE deploy.revisions AS r SET platform_variables = $3
            FROM deploy.deployments AS d
            WHERE d.tenant_id = $1 AND d.id = $2 AND r.tenant_id = $1 AND r.deployment_id = $2
                AND r.id IN (d.latest_revision_id, d.active_revision_id) AND r.platform_variables IS NULL
            """;
    /** The runtime's environment variable for the tracing key. */
    private static final String TRACING_KEY_VARIABLE = "WAYBILL_TRACING_KEY";

    private final TracingKeys keys;
    private final ThreadRoles roles;
    private final EnvironmentEncryptor encryptor;

    PlatformSecrets(TracingKeys keys, ThreadRoles roles, EnvironmentEncryptor encryptor) {
        this.keys = keys;
        this.roles = roles;
        this.encryptor = encryptor;
    }

    /** Creates what the deployment does not have yet; the caller must hold the lock of the deployment's row. */
    Uni<Void> create(SqlConnection connection, UUID tenantId, UUID id, @Nullable ResourceSpec resources) {
        return read(connection, tenantId, id)
                .chain(stored -> keys.create(connection, tenantId, id)
                        .chain(key -> roles.create(connection, id, stored.get(ThreadSettings.PASSWORD_VARIABLE),
                                replicas(resources))
                                .chain(password -> {
                                    Map<String, String> secrets = new TreeMap<>(stored);
                                    key.ifPresent(created -> secrets.put(TRACING_KEY_VARIABLE, created.reveal()));
                                    password.ifPresent(created -> secrets.put(ThreadSettings.PASSWORD_VARIABLE, created));
                                    return secrets.equals(stored) ? Uni.createFrom().voidItem()
                                            : limitEarlier(connection, tenantId, id, stored.keySet())
                                                    .chain(() -> store(connection, tenantId, id, secrets));
                                })));
    }

    private static int replicas(@Nullable ResourceSpec resources) {
        return resources == null ? 1
                : Math.max(Objects.requireNonNullElse(resources.minScale(), 1),
                        Objects.requireNonNullElse(resources.maxScale(), 1));
    }

    /** Revokes the tracing key; the role remains until the application's processes have stopped. */
    Uni<Void> revoke(SqlConnection connection, UUID tenantId, UUID id) {
        return keys.revoke(connection, tenantId, id);
    }

    private Uni<Map<String, String>> read(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(READ)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> encryptor.decrypt(Rows.bytes(rows.iterator().next(), "platform_secrets"), tenantId, id));
    }

    private static Uni<Void> limitEarlier(SqlConnection connection, UUID tenantId, UUID id, Set<String> variables) {
        return connection.preparedQuery(LIMIT_EARLIER)
                .execute(Tuple.of(tenantId, id, variables.toArray(String[]::new)))
                .replaceWithVoid();
    }

    private Uni<Void> store(SqlConnection connection, UUID tenantId, UUID id, Map<String, String> secrets) {
        byte[] encrypted = encryptor.encrypt(secrets, tenantId, id);
        return connection.preparedQuery(STORE)
                .execute(Tuple.of(tenantId, id, encrypted == null ? null : Buffer.buffer(encrypted)))
                .replaceWithVoid();
    }
}
