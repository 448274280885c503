package dev.waybill.controlplane.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.CreateOrganizationRequest;
import dev.waybill.common.api.account.CreateWorkspaceRequest;
import dev.waybill.common.api.account.CreatedOrganizationResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.UpdateOrganizationRequest;
import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.security.ApiKey;
import dev.waybill.common.security.Caller;
import io.smallrye.mutiny.Uni;

/** Creates organizations, changes their plans, and creates and lists their workspaces. */
@Singleton
public class OrganizationService {

    private static final String FIRST_KEY = "First key";

    private final Database database;
    private final OrganizationRepository organizations;
    private final ApiKeyRepository keys;
    private final CreatedResourceRecorder idempotency;
    private final Ids ids;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    OrganizationService(Database database, OrganizationRepository organizations, ApiKeyRepository keys,
            CreatedResourceRecorder idempotency,
            Ids ids, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.keys = keys;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    /** Creates an organization with its first API key, an admin key of the whole organization. */
    public Uni<CreatedOrganizationResponse> createOrganization(CreateOrganizationRequest request) {
        OrganizationResponse organization = new OrganizationResponse(ids.newId(), request.name(), request.planOrDefault(),
                clock.instant());
        ApiKey key = ApiKey.generate(random);
        ApiKeyResponse firstKey = new ApiKeyResponse(ids.newId(), FIRST_KEY, key.prefix(), null, KeyRole.ADMIN,
                organization.createdAt(), null, null);
        return database.outsideWorkspaces(connection -> organizations.insert(connection, organization)
                .chain(() -> keys.insert(connection, organization.id(), firstKey, key))
                .chain(() -> idempotency.recordCreated(organization.id(), connection)))
                .replaceWith(() -> new CreatedOrganizationResponse(organization.id(), organization.name(), organization.plan(),
                        organization.createdAt(), key.reveal()));
    }

    /** Changes the plan. Services that cache a key apply it when the cache entry expires, within 30 s. */
    public Uni<OrganizationResponse> updateOrganization(UUID id, UpdateOrganizationRequest request) {
        return database.outsideWorkspaces(connection -> organizations.updatePlan(connection, id, request.plan()));
    }

    /** Creates a workspace; fails with 403 for a key bound to a workspace, 409 if the name exists. */
    public Uni<WorkspaceResponse> createWorkspace(Caller caller, CreateWorkspaceRequest request) {
        AdminScope scope = AdminScope.of(caller);
        scope.requireWholeOrganization("Creating a workspace");
        WorkspaceResponse workspace = new WorkspaceResponse(ids.newId(), request.name(), scope.organizationId(),
                clock.instant());
        return database.outsideWorkspaces(connection -> organizations.insert(connection, workspace)
                .chain(() -> idempotency.recordCreated(workspace.id(), connection)))
                .replaceWith(workspace);
    }

    /** Lists the workspaces in the caller's scope. */
    public Uni<Page<WorkspaceResponse>> listWorkspaces(Caller caller, PageParameters page) {
        AdminScope scope = AdminScope.of(caller);
        return database.outsideWorkspaces(connection -> organizations.listWorkspaces(connection, scope, page)
                .chain(found -> organizations.countWorkspaces(connection, scope).map(total -> new Page<>(found, total))));
    }
}
