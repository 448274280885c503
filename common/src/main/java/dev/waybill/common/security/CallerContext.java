package dev.waybill.common.security;

import java.util.Arrays;
import java.util.UUID;

import jakarta.enterprise.context.RequestScoped;

import dev.waybill.common.api.account.Plan;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.security.identity.SecurityIdentity;

/** Provides the caller of the current request to resources. */
@RequestScoped
public class CallerContext {

    private final SecurityIdentity identity;

    CallerContext(SecurityIdentity identity) {
        this.identity = identity;
    }

    /** Returns the caller. */
    public Caller caller() {
        Caller caller = identity.getAttribute(Caller.ATTRIBUTE);
        if (caller == null) {
            throw new ProblemException(CommonProblem.FORBIDDEN, "The operator key belongs to no organization; use an API key.");
        }
        return caller;
    }

    /**
     * Returns the workspace of the request.
     *
     * @throws ProblemException 403 if an organization-wide key specified none
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
     * Requires that the organization has one of these plans.
     *
     * @throws ProblemException 403 with the required plans
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
