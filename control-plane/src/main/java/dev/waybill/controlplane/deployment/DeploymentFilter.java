package dev.waybill.controlplane.deployment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** The validated parameters of a list of deployments. All violations are reported together. */
record DeploymentFilter(@Nullable String nameContains, @Nullable String name, @Nullable DeploymentStatus status,
        PageParameters page) {

    private static final String STATUS = "status";

    static DeploymentFilter parse(@Nullable String nameContains, @Nullable String name, @Nullable String status,
            @Nullable String limit, @Nullable String offset) {
        List<Violation> violations = new ArrayList<>();
        requireStorable("name_contains", nameContains, violations);
        requireStorable("name", name, violations);
        List<DeploymentStatus> statuses = statuses(status, DeploymentStatus.class, violations);
        if (statuses.size() > 1) {
            violations.add(Violation.of(STATUS, "must be one status", "invalid"));
        }
        PageParameters page = page(limit, offset, violations);
        ProblemException.throwIfAny(violations);
        return new DeploymentFilter(nameContains, name, statuses.isEmpty() ? null : statuses.getFirst(), page);
    }

    /**
     * The validated parameters of a list of revisions.
     *
     * @param statuses empty for all statuses
     */
    record Revisions(List<RevisionStatus> statuses, PageParameters page) {

        /** @param status comma-separated statuses */
        static Revisions parse(@Nullable String status, @Nullable String limit, @Nullable String offset) {
            List<Violation> violations = new ArrayList<>();
            List<RevisionStatus> statuses = DeploymentFilter.statuses(status, RevisionStatus.class, violations);
            PageParameters page = DeploymentFilter.page(limit, offset, violations);
            ProblemException.throwIfAny(violations);
            return new Revisions(statuses, page);
        }
    }

    private static <E extends Enum<E>> List<E> statuses(@Nullable String text, Class<E> type, List<Violation> violations) {
        List<E> known = List.of(type.getEnumConstants());
        List<String> names = text == null ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
        List<E> statuses = known.stream().filter(status -> names.contains(status.name())).toList();
        if (!known.stream().map(Enum::name).toList().containsAll(names)) {
            violations.add(Violation.of(STATUS,
                    "must be one of " + known.stream().map(Enum::name).collect(Collectors.joining(", ")), "invalid"));
        }
        return statuses;
    }

    private static PageParameters page(@Nullable String limit, @Nullable String offset, List<Violation> violations) {
        return PageParameters.parse(limit, offset, PageParameters.DEFAULT_LIMIT, PageParameters.MAX_LIMIT, violations);
    }

    /** PostgreSQL rejects parameters with U+0000. */
    private static void requireStorable(String parameter, @Nullable String text, List<Violation> violations) {
        if (text != null && text.indexOf('\0') >= 0) {
            violations.add(Violation.of(parameter, "must not contain U+0000", "invalid"));
        }
    }
}
