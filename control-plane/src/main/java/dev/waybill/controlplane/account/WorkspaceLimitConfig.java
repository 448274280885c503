package dev.waybill.controlplane.account;

import java.util.Map;

import dev.waybill.common.api.account.Plan;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithParentName;

/** Limits of a workspace by the plan of its organization; application.properties has the defaults. */
@ConfigMapping(prefix = "waybill.limits")
public interface WorkspaceLimitConfig {

    /** Limits of each plan. */
    @WithParentName
    Map<Plan, PlanLimits> plans();

    /** The limits of one plan. */
    interface PlanLimits {

        /** Maximum number of deployments in a workspace. */
        int deployments();

        /** Maximum number of integrations in a workspace. */
        int integrations();

        /** Maximum number of API keys of a workspace, and of the organization as a whole. */
        int apiKeys();

        /** Maximum number of cores of one replica of a deployment. */
        double cpu();

        /** Maximum memory of one replica of a deployment, in MiB. */
        int memoryMb();

        /** Maximum number of replicas of a deployment. */
        int replicas();
    }
}
