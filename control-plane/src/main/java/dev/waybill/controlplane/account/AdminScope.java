package dev.waybill.controlplane.account;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.Caller;

/**
 * The accounts that an admin key manages: the whole organization, or the workspace that the key is bound to.
 * {@code X-Tenant-Id} of an organization-wide key is ignored here, because accounts belong to the organization.
 *
 * @param workspaceId null for the whole organization
 */
record AdminScope(UUID organizationId, @Nullable UUID workspaceId) {

    static AdminScope of(Caller caller) {
        return new AdminScope(caller.organizationId(), caller.boundToWorkspace() ? caller.workspaceId() : null);
    }

    boolean isWholeOrganization() {
        return workspaceId == null;
    }

    boolean contains(WorkspaceResponse workspace) {
        return organizationId.equals(workspace.organizationId())
                && (isWholeOrganization() || workspace.id().equals(workspaceId));
    }

    /** @throws ProblemException 403 if the key is bound to a workspace; {@code operation} begins the error text */
    void requireWholeOrganization(String operation) {
        if (!isWholeOrganization()) {
            throw new ProblemException(CommonProblem.FORBIDDEN, operation
                    + " needs an admin key of the whole organization; this key belongs to the workspace " + workspaceId + ".");
        }
    }
}
