package dev.waybill.controlplane.account;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.id.Ids;
import dev.waybill.common.security.ApiKey;
import dev.waybill.common.security.Role;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * API keys that deployed applications send traces with: one for each deployment, valid in its workspace for tracing
 * only (threat T18, docs/decisions/0088). A deployment gets its key with its first revision, or with its next one if it is
 * older than this feature.
 */
@Singleton
public class TracingKeys {

    private static final String INSERT = """
            INSERT INTO account.api_keys (id, organization_id, workspace_id, deployment_id, name, prefix, hash, role, created_at)
            SELECT $1, w.organization_id, w.id, $3, 'Deployed application', $4, $5, $6, now()
            FROM account.workspaces AS w
            WHERE w.id = $2
                AND NOT EXISTS (SELECT FROM account.api_keys AS k WHERE k.deployment_id = $3 AND k.revoked_at IS NULL)
            """;
    private static final String REVOKE = """
            UPDATE account.api_keys SET revoked_at = now()
            WHERE workspace_id = $1 AND deployment_id = $2 AND revoked_at IS NULL
            """;

    private final Ids ids;
    private final SecureRandom random = new SecureRandom();

    TracingKeys(Ids ids) {
        this.ids = ids;
    }

    /** Creates a key if the deployment has none; the caller must hold the lock of the deployment's row. */
    public Uni<Optional<ApiKey>> create(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        ApiKey key = ApiKey.generate(random);
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(ids.newId(), tenantId, deploymentId, key.prefix(), Buffer.buffer(key.hash()),
                        Role.APPLICATIONS))
                .map(inserted -> inserted.rowCount() == 1 ? Optional.of(key) : Optional.empty());
    }

    /** Revokes the deployment's key. */
    public Uni<Void> revoke(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return connection.preparedQuery(REVOKE)
                .execute(Tuple.of(tenantId, deploymentId))
                .replaceWithVoid();
    }
}
