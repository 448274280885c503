package dev.waybill.controlplane.account;

import java.time.Clock;

import jakarta.inject.Singleton;

import dev.waybill.common.api.account.CreateWorkspaceRequest;
import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.id.Ids;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import dev.waybill.common.security.Caller;
import io.quarkus.hibernate.reactive.panache.common.WithSession;
import io.quarkus.hibernate.reactive.panache.common.WithTransaction;
import io.smallrye.mutiny.Uni;

/** Creates and lists the workspaces of an organization. */
@Singleton
public class WorkspaceService {

    private final WorkspaceRepository workspaces;
    private final HibernateIdempotentCreation idempotency;
    private final Ids ids;
    private final Clock clock;

    WorkspaceService(WorkspaceRepository workspaces, HibernateIdempotentCreation idempotency, Ids ids, Clock clock) {
        this.workspaces = workspaces;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    /** Creates a workspace; fails with 403 for a key bound to a workspace, 409 if the name exists. */
    @WithTransaction
    public Uni<WorkspaceResponse> create(Caller caller, CreateWorkspaceRequest request) {
        AdminScope scope = AdminScope.of(caller);
        scope.requireWholeOrganization("Creating a workspace");
        return workspaces.insert(new WorkspaceEntity(ids.newId(), scope.organizationId(), request.name(), clock.instant()))
                .call(created -> idempotency.recordCreated(created.id))
                .map(WorkspaceEntity::toResponse);
    }

    /** Lists the workspaces in the caller's scope. */
    @WithSession
    public Uni<Slice<WorkspaceResponse>> list(Caller caller, Page page) {
        AdminScope scope = AdminScope.of(caller);
        return workspaces.list(scope, page)
                .chain(found -> workspaces.count(scope).map(total -> Slice.of(found, WorkspaceEntity::toResponse, total)));
    }
}
