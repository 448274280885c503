package dev.waybill.common.security;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.Plan;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the account schema, which control-plane owns, to authenticate callers. */
@Singleton
class AccountRepository {

    // Updating last_used_at in the same statement costs one write per key and cache period instead of one per request.
    private static final String KEY = """
            WITH found AS (
                SELECT k.id, k.organization_id, o.plan, k.workspace_id, k.role, k.hash, k.expires_at
                FROM account.api_keys k JOIN account.organizations o ON o.id = k.organization_id
                WHERE k.prefix = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
            ), used AS (
                UPDATE account.api_keys k SET last_used_at = now()
                FROM found WHERE k.id = found.id AND found.hash = $2
            )
            SELECT * FROM found
            """;

    private static final String WORKSPACE = """
            SELECT w.organization_id, o.plan
            FROM account.workspaces w JOIN account.organizations o ON o.id = w.organization_id
            WHERE w.id = $1
            """;

    private final Pool pool;

    AccountRepository(Pool pool) {
        this.pool = pool;
    }

    /** Returns the active key with this prefix; the caller must still compare the hash. */
    Uni<Optional<StoredKey>> findKey(ApiKey key) {
        return query(KEY, Tuple.of(key.prefix(), io.vertx.mutiny.core.buffer.Buffer.buffer(key.hash()).getDelegate()))
                .map(rows -> first(rows).map(AccountRepository::storedKey));
    }

    /** Returns the organization of a workspace. */
    Uni<Optional<Organization>> findOrganizationOf(UUID workspaceId) {
        return query(WORKSPACE, Tuple.of(workspaceId))
                .map(rows -> first(rows)
                        .map(row -> new Organization(row.getUUID("organization_id"), Plan.parse(row.getString("plan")))));
    }

    // Uses a connection explicitly: during a database outage, the pool's own query methods report the failure a second time
    // through their acquisition timer.
    private Uni<RowSet<Row>> query(String sql, Tuple values) {
        return pool.withConnection(connection -> connection.preparedQuery(sql).execute(values));
    }

    private static Optional<Row> first(RowSet<Row> rows) {
        var iterator = rows.iterator();
        return iterator.hasNext() ? Optional.of(iterator.next()) : Optional.empty();
    }

    private static StoredKey storedKey(Row row) {
        return new StoredKey(row.getUUID("id"),
                new Organization(row.getUUID("organization_id"), Plan.parse(row.getString("plan"))),
                Optional.ofNullable(row.getUUID("workspace_id")),
                isApplication(row) ? KeyRole.MEMBER : KeyRole.parse(row.getString("role")),
                isApplication(row),
                row.getBuffer("hash").getBytes(),
                Optional.ofNullable(row.getOffsetDateTime("expires_at")).map(OffsetDateTime::toInstant));
    }

    private static boolean isApplication(Row row) {
        return row.getString("role").equals(Role.APPLICATIONS);
    }

    record Organization(UUID id, Plan plan) {
    }

    record StoredKey(UUID id, Organization organization, Optional<UUID> workspaceId, KeyRole role, boolean application,
            byte[] hash, Optional<Instant> expiresAt) {

        boolean isExpired(Instant now) {
            return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
        }
    }
}
