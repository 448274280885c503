package dev.waybill.common.page;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import jakarta.ws.rs.core.UriInfo;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Validates the names of the query parameters of lists. */
public final class QueryParameters {

    private static final int MAX_VIOLATIONS = 20;

    private QueryParameters() {
    }

    /**
     * Requires that a request has no query parameters other than {@code known}: ignoring an unknown filter would return items
     * that the caller did not ask for.
     *
     * @throws ProblemException 422 with every unknown parameter
     */
    public static void requireKnown(UriInfo uri, String... known) {
        Set<String> unknown = new TreeSet<>(uri.getQueryParameters().keySet());
        unknown.removeAll(Set.of(known));
        List<Violation> violations = unknown.stream()
                .limit(MAX_VIOLATIONS)
                .map(name -> Violation.of(name, "is not supported; omit it. Supported parameters: "
                        + String.join(", ", Arrays.stream(known).sorted().toList()), "unsupported"))
                .toList();
        ProblemException.throwIfAny(violations);
    }
}
