package dev.waybill.common.security;

import java.util.Arrays;
import java.util.UUID;

import jakarta.enterprise.context.RequestScoped;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.security.identity.SecurityIdentity;

/** The caller of the present request, for resources. */
@RequestScoped
public class CallerContext {

    private final SecurityIdentity identity;

    CallerContext(SecurityIdentity identity) {
        this.identity = identity;
    }

    /** Who calls. */
    public Caller caller() {
        Caller caller = identity.getAttribute(Caller.ATTRIBUTE);
        if (caller == null) {
            throw new ProblemException(CommonProblem.FORBIDDEN, "The operator key belongs to no organization; use an API key.");
        }
        return caller;
    }

    /**
     * The workspace the call is about.
     *
     * @throws ProblemException 403 when an organization-wide key named none (contract.md "Accounts and keys")
     */
    public UUID workspace() {
        UUID workspaceId = caller().workspaceId();
        if (workspaceId == null) {
            ProblemException problem = new ProblemException(CommonProblem.ORG_SCOPED_KEY_REQUIRES_WORKSPACE,
                    "This API key opens several workspaces, so the call requires workspace specification:"
                            + " name one in the header X-Tenant-Id.");
            throw problem.with("error", CommonProblem.ORG_SCOPED_KEY_REQUIRES_WORKSPACE.slug());
        }
        return workspaceId;
    }

    /**
     * Lets only organizations with one of these plans pass.
     *
     * @throws ProblemException 403 saying what the plan must be
     */
    public void requirePlan(String what, Plan... plans) {
        Plan plan = caller().plan();
        if (!Arrays.asList(plans).contains(plan)) {
            throw new ProblemException(CommonProblem.PLAN_REQUIRED, what + " needs the plan "
                    + String.join(" or ", Arrays.stream(plans).map(Plan::toString).toList())
                    + "; this organization has the plan " + plan + ".");
        }
    }
}
