package dev.waybill.experiment.example;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Which examples a list asks for; what is null or empty does not narrow it.
 *
 * @param splits examples that say none are of {@code base}
 */
record ExampleQuery(@Nullable UUID datasetId, List<UUID> ids, List<String> splits, Page page) {

    // What a deleted dataset leaves for a moment is nobody's.
    static final String WHERE = """
            e.tenant_id = $1
                AND ($2::uuid IS NULL OR e.dataset_id = $2)
                AND (cardinality($3::uuid[]) = 0 OR e.id = ANY($3))
                AND (cardinality($4::text[]) = 0 OR coalesce(e.splits, '{base}') && $4)
                AND EXISTS (SELECT FROM trace.datasets d
                    WHERE d.tenant_id = $1 AND d.id = e.dataset_id AND d.removed_at IS NULL)
            """;

    private static final String LATEST = "latest";

    ExampleQuery {
        if (datasetId == null && ids.isEmpty()) {
            throw ProblemException.invalid(Violation.of("dataset", "or id must be given", "missing"));
        }
        // PostgreSQL's text has no such character, so nothing can be meant.
        if (splits.stream().anyMatch(split -> split.indexOf(0) >= 0)) {
            throw ProblemException.invalid(Violation.of("splits", "must not contain U+0000", "invalid"));
        }
    }

    /** Ends the request where it narrows in a way that is not known here: it would get examples that it does not mean. */
    static void requireKnown(@Nullable String asOf, @Nullable String metadata, @Nullable String filter) {
        List<Violation> violations = new ArrayList<>();
        if (asOf != null && !asOf.equals(LATEST)) {
            violations.add(Violation.of("as_of", "must be latest: earlier versions of datasets are not kept", "unsupported"));
        }
        if (metadata != null) {
            violations.add(Violation.of("metadata", "is not understood here; read the examples and choose", "unsupported"));
        }
        if (filter != null) {
            violations.add(Violation.of("filter", "is not understood here; read the examples and choose", "unsupported"));
        }
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
    }

    /** The ids of a query that must name some. */
    static Set<UUID> requireSome(List<UUID> ids) {
        if (ids.isEmpty()) {
            throw ProblemException.invalid(Violation.of("example_ids", "must name at least one example", "missing"));
        }
        return Set.copyOf(ids);
    }

    Tuple values(UUID tenantId) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(datasetId)
                .addArrayOfUUID(ids.toArray(UUID[]::new))
                .addArrayOfString(splits.toArray(String[]::new));
    }
}
