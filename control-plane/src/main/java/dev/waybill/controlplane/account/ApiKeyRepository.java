package dev.waybill.controlplane.account;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.api.account.UpdateApiKeyRequest;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.security.ApiKey;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Reads and writes account.api_keys, which has the prefix and hash that verify a key, not the key itself. Revoked keys
 * stay in the table, so that their prefix is never reused, but are excluded from results. Keys of deployments
 * ({@link TracingKeys}) are always excluded.
 */
@Singleton
class ApiKeyRepository {

    private static final String INSERT = """
            INSERT INTO account.api_keys (id, organization_id, workspace_id, name, prefix, hash, role, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """;
    private static final String LISTED = """
            organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND revoked_at IS NULL AND deployment_id IS NULL
            """;
    private static final String COLUMNS = " id, name, prefix, workspace_id, role, created_at, expires_at, last_used_at ";
    private static final String LIST = "SELECT" + COLUMNS + "FROM account.api_keys WHERE " + LISTED + """
            ORDER BY created_at DESC, id
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT = "SELECT count(*) AS total FROM account.api_keys WHERE " + LISTED;
    private static final String REVOKE = "UPDATE account.api_keys SET revoked_at = $4 WHERE id = $3 AND " + LISTED;
    private static final String FIND = "SELECT" + COLUMNS + "FROM account.api_keys WHERE id = $3 AND " + LISTED;
    private static final String UPDATE = """
            UPDATE account.api_keys SET name = coalesce($4, name), role = coalesce($5, role) WHERE id = $3 AND\s""" + LISTED
            + "RETURNING" + COLUMNS;
    private static final String FIND_OTHER_ADMIN = """
            SELECT FROM account.api_keys
            WHERE organization_id = $1 AND (workspace_id IS NULL OR workspace_id = $2) AND id <> $3 AND role = 'admin'
                AND revoked_at IS NULL AND deployment_id IS NULL AND (expires_at IS NULL OR expires_at > $4)
            LIMIT 1
            """;
    // Weaker than FOR UPDATE, so that rows that reference the owner can be inserted concurrently.
    private static final String LOCK_OWNER = """
            SELECT o.plan FROM account.organizations AS o, account.%s AS owner
            WHERE o.id = $1 AND owner.id = $2
            FOR NO KEY UPDATE OF owner
            """;
    private static final String COUNT_ACTIVE = """
            SELECT count(*) AS total FROM account.api_keys
            WHERE organization_id = $1 AND workspace_id IS NOT DISTINCT FROM $2 AND revoked_at IS NULL AND deployment_id IS NULL
                AND (expires_at IS NULL OR expires_at > $3)
            """;
    private static final String FIND_BY_PREFIX = """
            SELECT organization_id, workspace_id, hash, revoked_at FROM account.api_keys WHERE prefix = $1
            """;

    Uni<Void> insert(SqlConnection connection, UUID organizationId, ApiKeyResponse row, ApiKey key) {
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(row.id(), organizationId, row.workspaceId(), row.name(), key.prefix(),
                        Buffer.buffer(key.hash()))
                        .addString(row.role().toString())
                        .addOffsetDateTime(row.createdAt().atOffset(ZoneOffset.UTC))
                        .addOffsetDateTime(row.expiresAt() == null ? null : row.expiresAt().atOffset(ZoneOffset.UTC)))
                .replaceWithVoid();
    }

    /** Returns one page of the keys in the scope, newest first. */
    Uni<List<ApiKeyResponse>> list(SqlConnection connection, AdminScope scope, PageParameters page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId(), page.limit(), page.offset()))
                .map(rows -> Rows.list(rows, ApiKeyRepository::response));
    }

    /** Returns the number of keys in the scope. */
    Uni<Long> count(SqlConnection connection, AdminScope scope) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId()))
                .map(rows -> rows.iterator().next().getLong("total"));
    }

    /** Revokes the key; returns false if it is not in the scope. */
    Uni<Boolean> revoke(SqlConnection connection, AdminScope scope, UUID id, Instant now) {
        return connection.preparedQuery(REVOKE)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId(), id, now.atOffset(ZoneOffset.UTC)))
                .map(revoked -> revoked.rowCount() == 1);
    }

    /** Returns the key; null if it is not in the scope. */
    Uni<@Nullable ApiKeyResponse> find(SqlConnection connection, AdminScope scope, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId(), id))
                .map(rows -> Rows.first(rows, ApiKeyRepository::response));
    }

    /** Changes name and role, if not null, and returns the key; null if it is not in the scope. */
    Uni<@Nullable ApiKeyResponse> update(SqlConnection connection, AdminScope scope, UUID id, UpdateApiKeyRequest request) {
        return connection.preparedQuery(UPDATE)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId(), id, request.name(),
                        request.role() == null ? null : request.role().toString()))
                .map(rows -> Rows.first(rows, ApiKeyRepository::response));
    }

    /** Returns whether another admin key, neither revoked nor expired, manages the workspace or organization of the key. */
    Uni<Boolean> hasOtherAdmin(SqlConnection connection, UUID organizationId, ApiKeyResponse key, Instant now) {
        return connection.preparedQuery(FIND_OTHER_ADMIN)
                .execute(Tuple.of(organizationId, key.workspaceId(), key.id(), now.atOffset(ZoneOffset.UTC)))
                .map(rows -> rows.rowCount() > 0);
    }

    /**
     * Returns the organization's plan and locks the owner of new keys, the workspace or the organization, so that
     * concurrent transactions cannot create keys for it.
     */
    Uni<Plan> lockOwner(SqlConnection connection, UUID organizationId, @Nullable UUID workspaceId) {
        String sql = LOCK_OWNER.formatted(workspaceId == null ? "organizations" : "workspaces");
        return connection.preparedQuery(sql)
                .execute(Tuple.of(organizationId, workspaceId == null ? organizationId : workspaceId))
                .map(rows -> Plan.parse(rows.iterator().next().getString("plan")));
    }

    /**
     * Returns the number of keys of the workspace, or of the whole organization, that are neither revoked nor expired.
     */
    Uni<Long> countActive(SqlConnection connection, UUID organizationId, @Nullable UUID workspaceId, Instant now) {
        return connection.preparedQuery(COUNT_ACTIVE)
                .execute(Tuple.of(organizationId, workspaceId, now.atOffset(ZoneOffset.UTC)))
                .map(rows -> rows.iterator().next().getLong("total"));
    }

    /** Returns the key with this prefix, even if revoked; null if none exists. */
    Uni<@Nullable StoredKey> findByPrefix(SqlConnection connection, String prefix) {
        return connection.preparedQuery(FIND_BY_PREFIX)
                .execute(Tuple.of(prefix))
                .map(rows -> Rows.first(rows, StoredKey::from));
    }

    private static ApiKeyResponse response(Row row) {
        return new ApiKeyResponse(row.getUUID("id"), row.getString("name"), row.getString("prefix"),
                row.getUUID("workspace_id"), KeyRole.parse(row.getString("role")),
                row.getOffsetDateTime("created_at").toInstant(), Rows.instant(row, "expires_at"),
                Rows.instant(row, "last_used_at"));
    }

    /** A key as stored. */
    record StoredKey(UUID organizationId, @Nullable UUID workspaceId, byte[] hash, boolean revoked) {

        private static StoredKey from(Row row) {
            return new StoredKey(row.getUUID("organization_id"), row.getUUID("workspace_id"),
                    row.getBuffer("hash").getBytes(), row.getOffsetDateTime("revoked_at") != null);
        }
    }
}
