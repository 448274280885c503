package dev.waybill.experiment.example;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.filter.StoredJson;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The filters of a list of examples; null or empty does not filter.
 *
 * @param asOf the version of the dataset: the examples that existed at that time
 * @param splits examples without splits belong to {@code base}
 */
record ExampleQuery(@Nullable UUID datasetId, List<UUID> ids, List<String> splits, @Nullable Instant asOf,
        MetadataFilter metadata, PageParameters page) {

    // Examples of a dataset that is being deleted are hidden.
    static final String WHERE = """
            e.tenant_id = $1
                AND ($2::uuid IS NULL OR e.dataset_id = $2)
                AND (cardinality($3::uuid[]) = 0 OR e.id = ANY($3))
                AND (cardinality($4::text[]) = 0 OR coalesce(e.splits, '{base}') && $4)
                AND ($5::timestamptz IS NULL OR e.created_at <= $5)
                AND {metadata}
                AND EXISTS (SELECT FROM trace.datasets d
                    WHERE d.tenant_id = $1 AND d.id = e.dataset_id AND d.removed_at IS NULL)
            """.replace("{metadata}", MetadataFilter.sql(StoredJson.document("e.metadata"), "$6", "$7"));

    private static final String LATEST = "latest";

    ExampleQuery {
        if (datasetId == null && ids.isEmpty()) {
            throw ProblemException.invalid(Violation.of("dataset", "or id is required", "missing"));
        }
        if (asOf != null && datasetId == null) {
            throw ProblemException.invalid(Violation.of("as_of", "requires dataset: only datasets have versions", "invalid"));
        }
        // PostgreSQL's text cannot contain U+0000, so no example can match.
        if (splits.stream().anyMatch(split -> split.indexOf(0) >= 0)) {
            throw ProblemException.invalid(Violation.of("splits", "must not contain U+0000", "invalid"));
        }
    }

    /** Parses a version: a time, or null for the latest. */
    static @Nullable Instant parseVersion(@Nullable String asOf) {
        if (asOf == null || asOf.equals(LATEST)) {
            return null;
        }
        try {
            return Timestamps.parse(asOf);
        } catch (DateTimeException e) {
            throw ProblemException
                    .invalid(Violation.of("as_of", "must be latest or an ISO 8601 time; other tags are not supported",
                            "invalid"));
        }
    }

    /** Returns a query for examples by id. */
    static ExampleQuery ofIds(List<UUID> ids) {
        return new ExampleQuery(null, ids, List.of(), null, MetadataFilter.parse(null), new PageParameters(ids.size(), 0));
    }

    /** Returns the ids; 422 if there are none. */
    static Set<UUID> requireNonEmpty(List<UUID> ids) {
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
                .addArrayOfString(splits.toArray(String[]::new))
                .addOffsetDateTime(asOf == null ? null : asOf.atOffset(ZoneOffset.UTC))
                .addArrayOfString(metadata.keyArray())
                .addArrayOfString(metadata.valueArray());
    }
}
