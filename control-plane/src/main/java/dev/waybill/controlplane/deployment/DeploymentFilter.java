package dev.waybill.controlplane.deployment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Which deployments a list holds. */
record DeploymentFilter(@Nullable String nameContains, @Nullable String name, @Nullable DeploymentStatus status, Page page) {

    static DeploymentFilter parse(@Nullable String nameContains, @Nullable String name, @Nullable String status, Page page) {
        List<DeploymentStatus> statuses = statuses(status, DeploymentStatus.class);
        if (statuses.size() > 1) {
            throw ProblemException.invalid(Violation.of("status", "must be one status", "invalid"));
        }
        return new DeploymentFilter(nameContains, name, statuses.isEmpty() ? null : statuses.getFirst(), page);
    }

    /** Which revisions a list holds: statuses with commas between; none given means all. */
    static List<RevisionStatus> revisionStatuses(@Nullable String text) {
        return statuses(text, RevisionStatus.class);
    }

    private static <E extends Enum<E>> List<E> statuses(@Nullable String text, Class<E> type) {
        List<E> statuses = new ArrayList<>();
        for (String name : text == null ? List.<String> of() : List.of(text.split(","))) {
            if (!name.isBlank()) {
                statuses.add(Arrays.stream(type.getEnumConstants())
                        .filter(status -> status.name().equals(name.strip()))
                        .findFirst()
                        .orElseThrow(() -> ProblemException.invalid(Violation.of("status", "must be one of "
                                + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", ")),
                                "invalid"))));
            }
        }
        return statuses;
    }
}
