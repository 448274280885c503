package dev.waybill.controlplane.account;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.Caller;

/**
 * What an admin manages: all of an organization, or the one workspace that the key is bound to. Which workspace an
 * organization-wide key names in {@code X-Tenant-Id} makes no difference here, for accounts belong to the organization.
 *
 * @param workspaceId null for all of the organization
 */
record AdminScope(UUID organizationId, @Nullable UUID workspaceId) {

    static AdminScope of(Caller caller) {
        return new AdminScope(caller.organizationId(), caller.boundToWorkspace() ? caller.workspaceId() : null);
    }

    boolean isWholeOrganization() {
        return workspaceId == null;
    }

    /** @throws ProblemException 403 naming {@code what} needs a key of the whole organization */
    void requireWholeOrganization(String what) {
        if (!isWholeOrganization()) {
            throw new ProblemException(CommonProblem.FORBIDDEN, what
                    + " needs an admin key of the whole organization; this key belongs to the workspace " + workspaceId + ".");
        }
    }
}
