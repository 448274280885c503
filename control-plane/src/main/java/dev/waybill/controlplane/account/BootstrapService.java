package dev.waybill.controlplane.account;

import java.security.MessageDigest;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.security.ApiKey;
import dev.waybill.controlplane.account.ApiKeyRepository.StoredKey;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Creates the accounts of {@link BootstrapConfig} that do not exist yet, before the first request. Idempotent; an
 * advisory lock serializes replicas that start concurrently.
 */
@Singleton
public class BootstrapService {

    private static final Logger LOG = Logger.getLogger(BootstrapService.class);
    private static final String ADVISORY_LOCK = "SELECT pg_advisory_xact_lock(hashtext('waybill.bootstrap'))";

    private final Database database;
    private final OrganizationRepository organizations;
    private final ApiKeyRepository keys;
    private final Ids ids;
    private final Clock clock;

    BootstrapService(Database database, OrganizationRepository organizations, ApiKeyRepository keys, Ids ids, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.keys = keys;
        this.ids = ids;
        this.clock = clock;
    }

    void start(@Observes StartupEvent starting, BootstrapConfig config) throws Throwable {
        if (config.apiKey().isEmpty() && config.organizationApiKey().isEmpty()) {
            return;
        }
        LOG.warn("a bootstrap key is configured: create other keys, then remove waybill.bootstrap.api-key and"
                + " waybill.bootstrap.organization-api-key from the configuration and revoke them");
        VertxContextSupport.subscribeAndAwait(() -> bootstrap(config));
    }

    /** Creates organization, workspace and keys; existing ones are not changed, and a revoked key stays revoked. */
    public Uni<Void> bootstrap(BootstrapConfig config) {
        return database.outsideWorkspaces(connection -> connection.query(ADVISORY_LOCK).execute()
                .chain(() -> organization(connection, config))
                .chain(organization -> organizationKey(connection, config, organization)
                        .chain(() -> workspaceAndKey(connection, config, organization))));
    }

    private Uni<OrganizationResponse> organization(SqlConnection connection, BootstrapConfig config) {
        Uni<@Nullable OrganizationResponse> existing = config.organizationId().isPresent()
                ? organizations.findOrganization(connection, config.organizationId().get())
                : organizations.findOldestOrganization(connection, config.organization());
        return existing.onItem().ifNull().switchTo(() -> {
            OrganizationResponse created = new OrganizationResponse(config.organizationId().orElseGet(ids::newId),
                    config.organization(), config.plan(), clock.instant());
            return organizations.insert(connection, created).replaceWith(created);
        });
    }

    private Uni<Void> organizationKey(SqlConnection connection, BootstrapConfig config, OrganizationResponse organization) {
        return key(connection, organization.id(), null, "waybill.bootstrap.organization-api-key", config.organizationApiKey());
    }

    private Uni<Void> workspaceAndKey(SqlConnection connection, BootstrapConfig config, OrganizationResponse organization) {
        if (config.apiKey().isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return workspace(connection, config, organization)
                .invoke(workspace -> requireSameOrganization(organization.id(), workspace.organizationId()))
                .chain(workspace -> key(connection, organization.id(), workspace.id(), "waybill.bootstrap.api-key",
                        config.apiKey()));
    }

    private Uni<WorkspaceResponse> workspace(SqlConnection connection, BootstrapConfig config,
            OrganizationResponse organization) {
        Uni<@Nullable WorkspaceResponse> existing = config.workspaceId().isPresent()
                ? organizations.findWorkspace(connection, config.workspaceId().get())
                : organizations.findWorkspace(connection, organization.id(), config.workspace());
        return existing.onItem().ifNull().switchTo(() -> {
            WorkspaceResponse created = new WorkspaceResponse(config.workspaceId().orElseGet(ids::newId), config.workspace(),
                    organization.id(), clock.instant());
            return organizations.insert(connection, created).replaceWith(created);
        });
    }

    private Uni<Void> key(SqlConnection connection, UUID organizationId, @Nullable UUID workspaceId, String property,
            Optional<String> configured) {
        if (configured.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        ApiKey key = ApiKey.parse(configured.get()).orElseThrow(() -> new IllegalStateException(
                property + " must have the form wb_<8 hex digits>_<43 characters of base64url>"));
        ApiKeyResponse row = new ApiKeyResponse(ids.newId(), "Bootstrap key", key.prefix(), workspaceId, KeyRole.ADMIN,
                clock.instant(), null, null);
        return keys.findByPrefix(connection, key.prefix())
                .invoke(existing -> requireSameKey(existing, organizationId, workspaceId, property, key))
                .chain(existing -> existing == null ? keys.insert(connection, organizationId, row, key)
                        : Uni.createFrom().voidItem());
    }

    private static void requireSameKey(@Nullable StoredKey existing, UUID organizationId, @Nullable UUID workspaceId,
            String property, ApiKey key) {
        if (existing == null) {
            return;
        }
        boolean same = MessageDigest.isEqual(existing.hash(), key.hash())
                && existing.organizationId().equals(organizationId)
                && Objects.equals(existing.workspaceId(), workspaceId);
        if (!same) {
            throw new IllegalStateException(property + ": another key has the prefix " + key.prefix() + "; generate a new key");
        }
        if (existing.revoked()) {
            LOG.warnf("the key of %s is revoked and stays revoked: remove it from the configuration", property);
        }
    }

    private static void requireSameOrganization(UUID organizationId, UUID ownerId) {
        if (!organizationId.equals(ownerId)) {
            throw new IllegalStateException("waybill.bootstrap.workspace-id is the id of a workspace of another organization");
        }
    }
}
