package dev.waybill.controlplane.account;

import java.security.MessageDigest;
import java.time.Clock;
import java.util.Objects;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.hibernate.reactive.mutiny.Mutiny;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.id.Ids;
import dev.waybill.common.security.ApiKey;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.quarkus.hibernate.reactive.panache.common.WithTransaction;
import io.smallrye.mutiny.Uni;

/**
 * Creates the accounts of {@link BootstrapConfig} that do not exist yet. Idempotent; an advisory lock serializes
 * replicas that start concurrently.
 */
@Singleton
public class BootstrapService {

    private static final Logger LOG = Logger.getLogger(BootstrapService.class);
    private static final String ADVISORY_LOCK = "SELECT 1 FROM pg_advisory_xact_lock(hashtext('waybill.bootstrap'))";

    private final OrganizationRepository organizations;
    private final WorkspaceRepository workspaces;
    private final ApiKeyRepository keys;
    private final Ids ids;
    private final Clock clock;

    BootstrapService(OrganizationRepository organizations, WorkspaceRepository workspaces, ApiKeyRepository keys, Ids ids,
            Clock clock) {
        this.organizations = organizations;
        this.workspaces = workspaces;
        this.keys = keys;
        this.ids = ids;
        this.clock = clock;
    }

    /** Creates organization, workspace and keys; existing ones are not changed, and a revoked key stays revoked. */
    @WithTransaction
    public Uni<Void> bootstrap(BootstrapConfig config) {
        return Panache.getSession()
                .chain(BootstrapService::acquireLock)
                .chain(() -> organization(config))
                .call(organization -> config.organizationApiKey().isPresent()
                        ? key(organization.id, null, "waybill.bootstrap.organization-api-key",
                                config.organizationApiKey().get())
                        : Uni.createFrom().voidItem())
                .call(organization -> config.apiKey().isPresent()
                        ? workspaceAndKey(config, organization, config.apiKey().get())
                        : Uni.createFrom().voidItem())
                .replaceWithVoid();
    }

    private static Uni<?> acquireLock(Mutiny.Session session) {
        return session.createNativeQuery(ADVISORY_LOCK, Integer.class).getSingleResult();
    }

    private Uni<OrganizationEntity> organization(BootstrapConfig config) {
        Uni<@Nullable OrganizationEntity> existing = config.organizationId().isPresent()
                ? organizations.findById(config.organizationId().get())
                : organizations.findOldest(config.organization());
        return existing.onItem().ifNull().switchTo(() -> organizations.persistAndFlush(new OrganizationEntity(
                config.organizationId().orElseGet(ids::newId), config.organization(), config.plan(), clock.instant())));
    }

    private Uni<?> workspaceAndKey(BootstrapConfig config, OrganizationEntity organization, String key) {
        return workspace(config, organization)
                .invoke(workspace -> requireSameOrganization(organization.id, workspace.organizationId))
                .chain(workspace -> key(organization.id, workspace.id, "waybill.bootstrap.api-key", key));
    }

    private Uni<WorkspaceEntity> workspace(BootstrapConfig config, OrganizationEntity organization) {
        Uni<@Nullable WorkspaceEntity> existing = config.workspaceId().isPresent()
                ? workspaces.findById(config.workspaceId().get())
                : workspaces.findByName(organization.id, config.workspace());
        return existing.onItem().ifNull().switchTo(() -> workspaces.insert(new WorkspaceEntity(
                config.workspaceId().orElseGet(ids::newId), organization.id, config.workspace(), clock.instant())));
    }

    private Uni<ApiKeyEntity> key(UUID organizationId, @Nullable UUID workspaceId, String property, String text) {
        ApiKey key = ApiKey.parse(text).orElseThrow(() -> new IllegalStateException(
                property + " must have the form wb_<8 hex digits>_<43 characters of base64url>"));
        return keys.findByPrefix(key.prefix())
                .invoke(existing -> requireSameKey(existing, organizationId, workspaceId, property, key))
                .onItem().ifNull().switchTo(() -> keys.persistAndFlush(new ApiKeyEntity(ids.newId(), organizationId,
                        workspaceId, "Bootstrap key", key, KeyRole.ADMIN, clock.instant())));
    }

    private static void requireSameKey(@Nullable ApiKeyEntity existing, UUID organizationId, @Nullable UUID workspaceId,
            String property, ApiKey key) {
        if (existing == null) {
            return;
        }
        boolean same = MessageDigest.isEqual(existing.hash, key.hash())
                && existing.organizationId.equals(organizationId)
                && Objects.equals(existing.workspaceId, workspaceId);
        if (!same) {
            throw new IllegalStateException(property + ": another key has the prefix " + key.prefix() + "; generate a new key");
        }
        if (existing.revokedAt != null) {
            LOG.warnf("the key of %s is revoked and stays revoked: remove it from the configuration", property);
        }
    }

    private static void requireSameOrganization(UUID organizationId, UUID ownerId) {
        if (!organizationId.equals(ownerId)) {
            throw new IllegalStateException("waybill.bootstrap.workspace-id is the id of a workspace of another organization");
        }
    }
}
