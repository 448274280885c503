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
 * The keys that deployed applications trace with: each deployment's own, of its workspace, good for nothing else (threat T18,
 * docs/decisions/0088). They are made and revoked in the transactions that make and delete deployments.
 */
@Singleton
public class ApplicationKeys {

    private static final String MAKE = """
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

    ApplicationKeys(Ids ids) {
        this.ids = ids;
    }

    /** A key for the deployment, if it has none; the caller holds its row. */
    public Uni<Optional<ApiKey>> make(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        ApiKey key = ApiKey.generate(random);
        return connection.preparedQuery(MAKE)
                .execute(Tuple.of(ids.newId(), tenantId, deploymentId, key.prefix(), Buffer.buffer(key.hash()),
                        Role.APPLICATIONS))
                .map(made -> made.rowCount() == 1 ? Optional.of(key) : Optional.empty());
    }

    /** Ends what the deployment's application can do with its key. */
    public Uni<Void> revoke(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return connection.preparedQuery(REVOKE)
                .execute(Tuple.of(tenantId, deploymentId))
                .replaceWithVoid();
    }
}
