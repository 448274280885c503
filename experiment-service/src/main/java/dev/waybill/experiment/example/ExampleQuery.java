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
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Which examples a list asks for; what is null or empty does not narrow it.
 *
 * @param asOf the version of the dataset: its examples that were there at that time
 * @param splits examples that say none are of {@code base}
 */
record ExampleQuery(@Nullable UUID datasetId, List<UUID> ids, List<String> splits, @Nullable Instant asOf,
        MetadataFilter metadata, Page page) {

    // What a deleted dataset leaves for a moment is nobody's.
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
            throw ProblemException.invalid(Violation.of("dataset", "or id must be given", "missing"));
        }
        if (asOf != null && datasetId == null) {
            throw ProblemException.invalid(Violation.of("as_of", "needs dataset: versions are of datasets", "invalid"));
        }
        // PostgreSQL's text has no such character, so nothing can be meant.
        if (splits.stream().anyMatch(split -> split.indexOf(0) >= 0)) {
            throw ProblemException.invalid(Violation.of("splits", "must not contain U+0000", "invalid"));
        }
    }

    /** Reads a version: a time, or null for the latest. */
    static @Nullable Instant version(@Nullable String asOf) {
        if (asOf == null || asOf.equals(LATEST)) {
            return null;
        }
        try {
            return Timestamps.parse(asOf);
        } catch (DateTimeException e) {
            throw ProblemException
                    .invalid(Violation.of("as_of", "must be latest or an ISO 8601 time; datasets have no other tags",
                            "invalid"));
        }
    }

    /** Examples by their ids. */
    static ExampleQuery ofIds(List<UUID> ids) {
        return new ExampleQuery(null, ids, List.of(), null, MetadataFilter.parse(null), new Page(ids.size(), 0));
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
                .addArrayOfString(splits.toArray(String[]::new))
                .addOffsetDateTime(asOf == null ? null : asOf.atOffset(ZoneOffset.UTC))
                .addArrayOfString(metadata.keyArray())
                .addArrayOfString(metadata.valueArray());
    }
}
