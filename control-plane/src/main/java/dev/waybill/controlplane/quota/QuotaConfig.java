package dev.waybill.controlplane.quota;

import dev.waybill.common.api.account.Plan;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of a workspace by the plan of its organization. */
@ConfigMapping(prefix = "waybill.limits")
public interface QuotaConfig {

    /** Limits of the plan free. */
    Free free();

    /** Limits of the plan plus. */
    Plus plus();

    /** Limits of the plan enterprise. */
    Enterprise enterprise();

    /** Returns the limits of a plan. */
    default PlanLimits of(Plan plan) {
        return switch (plan) {
            case FREE -> free();
            case PLUS -> plus();
            case ENTERPRISE -> enterprise();
        };
    }

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

    /** The limits of the plan free. */
    interface Free extends PlanLimits {

        @Override
        @WithDefault("5")
        int deployments();

        @Override
        @WithDefault("10")
        int integrations();

        @Override
        @WithDefault("20")
        int apiKeys();

        @Override
        @WithDefault("2")
        double cpu();

        @Override
        @WithDefault("4096")
        int memoryMb();

        @Override
        @WithDefault("2")
        int replicas();
    }

    /** The limits of the plan plus. */
    interface Plus extends PlanLimits {

        @Override
        @WithDefault("100")
        int deployments();

        @Override
        @WithDefault("100")
        int integrations();

        @Override
        @WithDefault("100")
        int apiKeys();

        @Override
        @WithDefault("8")
        double cpu();

        @Override
        @WithDefault("32768")
        int memoryMb();

        @Override
        @WithDefault("10")
        int replicas();
    }

    /** The limits of the plan enterprise. */
    interface Enterprise extends PlanLimits {

        @Override
        @WithDefault("1000")
        int deployments();

        @Override
        @WithDefault("1000")
        int integrations();

        @Override
        @WithDefault("1000")
        int apiKeys();

        @Override
        @WithDefault("64")
        double cpu();

        @Override
        @WithDefault("262144")
        int memoryMb();

        @Override
        @WithDefault("100")
        int replicas();
    }
}
