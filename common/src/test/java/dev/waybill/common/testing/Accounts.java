package dev.waybill.common.testing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Inserts organizations, workspaces and API keys into {@link TestDatabase}. Requires control-plane's migrations.
 *
 * <pre>
 * Account plus = Accounts.account().create();
 * Account free = Accounts.account().plan("free").create();
 * Account neighbour = Accounts.account().inOrganizationOf(plus).create();
 * Account member = Accounts.account().inWorkspaceOf(plus).role("member").create();
 * </pre>
 */
public final class Accounts {

    private static final SecureRandom RANDOM = new SecureRandom();

    private @Nullable UUID organizationId;
    private @Nullable UUID workspaceId;
    private boolean organizationWide;
    private String plan = "plus";
    private String role = "admin";
    private @Nullable Instant expiresAt;
    private @Nullable Instant revokedAt;

    private Accounts() {
    }

    /** Starts a builder; the defaults are a new organization with plan plus, a new workspace and an admin key for it. */
    public static Accounts account() {
        return new Accounts();
    }

    public Accounts plan(String value) {
        plan = value;
        return this;
    }

    public Accounts role(String value) {
        role = value;
        return this;
    }

    /** Makes the key organization-wide. */
    public Accounts organizationWide() {
        organizationWide = true;
        return this;
    }

    public Accounts expiresAt(Instant value) {
        expiresAt = value;
        return this;
    }

    public Accounts revokedAt(Instant value) {
        revokedAt = value;
        return this;
    }

    /** Creates the workspace in the organization of another account. */
    public Accounts inOrganizationOf(Account other) {
        organizationId = other.organizationId();
        plan = other.plan();
        return this;
    }

    /** Creates the key for the workspace of another account. */
    public Accounts inWorkspaceOf(Account other) {
        workspaceId = other.workspaceId();
        return inOrganizationOf(other);
    }

    /** Inserts the new rows and returns the account. */
    public Account create() {
        try (Connection connection = TestDatabase.get().superuser()) {
            UUID organization = organizationId == null ? insertOrganization(connection) : organizationId;
            UUID workspace = workspaceId == null ? insertWorkspace(connection, organization) : workspaceId;
            return insertKey(connection, organization, workspace);
        } catch (SQLException e) {
            throw new IllegalStateException("the account could not be created", e);
        }
    }

    private UUID insertOrganization(Connection connection) throws SQLException {
        UUID id = UUID.randomUUID();
        insert(connection, "INSERT INTO account.organizations (id, name, plan, created_at) VALUES (?, ?, ?, now())", id,
                "Organization " + id, plan);
        return id;
    }

    private static UUID insertWorkspace(Connection connection, UUID organization) throws SQLException {
        UUID id = UUID.randomUUID();
        insert(connection, "INSERT INTO account.workspaces (id, organization_id, name, created_at) VALUES (?, ?, ?, now())", id,
                organization, "Workspace " + id);
        return id;
    }

    private Account insertKey(Connection connection, UUID organization, UUID workspace) throws SQLException {
        UUID id = UUID.randomUUID();
        UUID keyWorkspace = organizationWide ? null : workspace;
        String prefix = "wb_" + HexFormat.of().formatHex(random(4));
        String key = prefix + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random(32));
        insert(connection, """
                INSERT INTO account.api_keys
                    (id, organization_id, workspace_id, name, prefix, hash, role, created_at, expires_at, revoked_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, now(), ?, ?)
                """, id, organization, keyWorkspace, "Test key", prefix, sha256(key), role, timestamp(expiresAt),
                timestamp(revokedAt));
        return new Account(organization, workspace, keyWorkspace, id, plan, role, key);
    }

    private static void insert(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private static @Nullable Object timestamp(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
