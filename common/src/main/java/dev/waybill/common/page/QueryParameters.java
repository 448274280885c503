package dev.waybill.common.page;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import jakarta.ws.rs.core.UriInfo;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Checks the names of the query parameters of lists. */
public final class QueryParameters {

    private static final int MAX_SHOWN = 20;

    private QueryParameters() {
    }

    /**
     * Requires that a list was sent no query parameter but these: a filter that is ignored would return what the caller did not
     * ask for.
     *
     * @throws ProblemException 422 that names every other one
     */
    public static void requireKnown(UriInfo uri, String... known) {
        Set<String> others = new TreeSet<>(uri.getQueryParameters().keySet());
        others.removeAll(Set.of(known));
        List<Violation> violations = others.stream()
                .limit(MAX_SHOWN)
                .map(name -> Violation.of(name, "is not supported; leave it out. Supported are "
                        + String.join(", ", Arrays.stream(known).sorted().toList()), "unsupported"))
                .toList();
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
    }
}
