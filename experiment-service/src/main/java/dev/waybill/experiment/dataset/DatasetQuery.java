package dev.waybill.experiment.dataset;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.filter.StoredJson;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.vertx.mutiny.sqlclient.Tuple;

/** The filters of a list of datasets; null or empty does not filter. */
record DatasetQuery(@Nullable String name, @Nullable String nameContains, List<UUID> ids, @Nullable String dataType,
        MetadataFilter metadata, PageParameters page) {

    static final String WHERE = """
            d.tenant_id = $1 AND d.removed_at IS NULL
                AND ($2::text IS NULL OR d.name = $2)
                AND ($3::text IS NULL OR d.name ILIKE $3)
                AND (cardinality($4::uuid[]) = 0 OR d.id = ANY($4))
                AND ($5::text IS NULL OR d.data_type = $5)
                AND {metadata}
            """.replace("{metadata}", MetadataFilter.sql(StoredJson.document("d.metadata"), "$6", "$7"));

    private static final Set<String> DATA_TYPES = Set.of("kv", "llm", "chat");

    DatasetQuery {
        if (dataType != null && !DATA_TYPES.contains(dataType)) {
            throw ProblemException.invalid(Violation.of("data_type", "must be kv, llm or chat", "invalid"));
        }
        // PostgreSQL's text cannot contain U+0000, so no dataset can match.
        if (name != null && name.indexOf(0) >= 0 || nameContains != null && nameContains.indexOf(0) >= 0) {
            throw ProblemException.invalid(Violation.of("name", "must not contain U+0000", "invalid"));
        }
    }

    Tuple values(UUID tenantId) {
        return Tuple.of(tenantId, name,
                nameContains == null ? null : "%" + nameContains.replaceAll("([\\\\%_])", "\\\\$1") + "%",
                ids.toArray(UUID[]::new), dataType)
                .addArrayOfString(metadata.keyArray())
                .addArrayOfString(metadata.valueArray());
    }
}
