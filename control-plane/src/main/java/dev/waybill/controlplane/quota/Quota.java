package dev.waybill.controlplane.quota;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.ResourceSpec;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.Plan;
import dev.waybill.controlplane.quota.QuotaConfig.PlanLimits;

/** The limits of a workspace, as its plan and the configuration are now. */
public record Quota(Plan plan, PlanLimits limits) {

    /** What is counted. */
    public enum Counted {
        DEPLOYMENTS,
        INTEGRATIONS,
        API_KEYS;

        private int limit(PlanLimits limits) {
            return switch (this) {
                case DEPLOYMENTS -> limits.deployments();
                case INTEGRATIONS -> limits.integrations();
                case API_KEYS -> limits.apiKeys();
            };
        }

        private String words() {
            return this == API_KEYS ? "API keys" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws ProblemException 403 when there are as many as the plan allows */
    public void requireRoom(Counted counted, long present) {
        int limit = counted.limit(limits);
        if (present >= limit) {
            throw reached(counted.name().toLowerCase(Locale.ROOT), limit, "at most " + limit + " " + counted.words()
                    + "; delete one, or ask the operator for a higher limit.");
        }
    }

    /** @throws ProblemException 403 when one replica, or their number, is beyond what the plan allows */
    public void requireWithin(@Nullable ResourceSpec asked) {
        if (asked == null) {
            return;
        }
        requireWithin("cpu", larger(asked.cpu(), asked.cpuLimit()), limits.cpu(), "cores for a replica");
        requireWithin("memory_mb", larger(asked.memoryMb(), asked.memoryLimitMb()), limits.memoryMb(),
                "MiB of memory for a replica");
        requireWithin("replicas", larger(asked.minScale(), asked.maxScale()), limits.replicas(), "replicas of a deployment");
    }

    private void requireWithin(String name, double asked, Number limit, String words) {
        if (asked > limit.doubleValue()) {
            throw reached(name, limit, "at most " + plain(limit) + " " + words + ", and resource_spec asks for "
                    + plain(asked) + "; ask for less, or ask the operator for a higher limit.");
        }
    }

    private ProblemException reached(String name, Number limit, String rest) {
        return new ProblemException(QuotaProblem.LIMIT_REACHED, "The plan " + plan + " allows " + rest)
                .with("limit", name)
                .with("limit_value", limit);
    }

    private static double larger(@Nullable Number one, @Nullable Number other) {
        return Math.max(one == null ? 0 : one.doubleValue(), other == null ? 0 : other.doubleValue());
    }

    private static String plain(Number number) {
        double value = number.doubleValue();
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
