package dev.waybill.controlplane.account;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.Plan;
import dev.waybill.common.api.deployment.ResourceSpec;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemType;
import dev.waybill.controlplane.account.WorkspaceLimitConfig.PlanLimits;

/** The limits of a workspace, from its organization's current plan. */
public record WorkspaceLimits(Plan plan, PlanLimits limits) {

    /** Kinds of objects whose number is limited. */
    public enum CountLimit {
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

        private String displayName() {
            return this == API_KEYS ? "API keys" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws ProblemException 403 if the plan's limit is reached */
    public void requireCapacity(CountLimit resource, long present) {
        int limit = resource.limit(limits);
        if (present >= limit) {
            throw reached(resource.name().toLowerCase(Locale.ROOT), limit, "at most " + limit + " " + resource.displayName()
                    + "; delete one, or ask the operator for a higher limit.");
        }
    }

    /** @throws ProblemException 403 if the size or number of replicas exceeds the plan's limit */
    public void requireWithin(@Nullable ResourceSpec requested) {
        if (requested == null) {
            return;
        }
        requireWithin("cpu", larger(requested.cpu(), requested.cpuLimit()), limits.cpu(), "cores for a replica");
        requireWithin("memory_mb", larger(requested.memoryMb(), requested.memoryLimitMb()), limits.memoryMb(),
                "MiB of memory for a replica");
        requireWithin("replicas", larger(requested.minScale(), requested.maxScale()), limits.replicas(),
                "replicas of a deployment");
    }

    private void requireWithin(String name, double requested, Number limit, String displayName) {
        if (requested > limit.doubleValue()) {
            throw reached(name, limit, "at most " + plain(limit) + " " + displayName + ", and resource_spec requests "
                    + plain(requested) + "; request less, or ask the operator for a higher limit.");
        }
    }

    private ProblemException reached(String name, Number limit, String rest) {
        return new ProblemException(LimitProblem.LIMIT_REACHED, "The plan " + plan + " allows " + rest)
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

    private enum LimitProblem implements ProblemType {

        LIMIT_REACHED;

        @Override
        public int status() {
            return 403;
        }

        @Override
        public String title() {
            return "Limit reached";
        }
    }
}
