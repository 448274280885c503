package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.RejectUnknownMembers;

/**
 * Queries runs in version 2 of the API.
 *
 * @param referenceDatasetId instead of projectIds: all experiments on this dataset
 * @param selects members of a run to return; only the id if absent
 */
@RejectUnknownMembers
public record QueryRunsV2Request(
        @Size(max = 100, message = "must have at most 100 ids") @Schema(description = "Tracing projects; this or reference_dataset_id is required.") @Nullable List<UUID> projectIds,
        @Schema(description = "All experiments on this dataset.") @Nullable UUID referenceDatasetId,
        @Size(max = 100, message = "must have at most 100 ids") @Nullable List<UUID> ids,
        @Nullable UUID traceId,
        @Size(max = 100, message = "must have at most 100 ids") @Nullable List<UUID> referenceExamples,
        @Pattern(regexp = "(?i)tool|chain|llm|retriever|embedding|prompt|parser", message = "must be one of TOOL, CHAIN, LLM, RETRIEVER, EMBEDDING, PROMPT, PARSER") @Schema(examples = "LLM") @Nullable String runType,
        @Nullable Boolean isRoot,
        @Schema(description = "Whether the run has an error.") @Nullable Boolean hasError,
        @Schema(description = "Runs that started then or later. Default: a day ago.") @Nullable Instant minStartTime,
        @Schema(description = "Runs that started before. Default: now.") @Nullable Instant maxStartTime,
        @Schema(description = "A filter on the run (docs/filters.md).", examples = "eq(thread_id, \"7\")") @Nullable String filter,
        @Schema(description = "A filter on the first run of its trace.") @Nullable String traceFilter,
        @Schema(description = "A filter that some run of its trace must match.") @Nullable String treeFilter,
        @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(description = "Default: 100. A page with large runs may be shorter although more pages follow.") @Nullable Integer pageSize,
        @Schema(description = "next_cursor of the previous page; other members must be unchanged.") @Nullable String cursor,
        @Size(max = 100, message = "must have at most 100 names") @Schema(examples = "[\"ID\", \"NAME\", \"OUTPUTS\"]") @Nullable List<String> selects) {

    /** Returns the request for the page of another cursor; this one if the cursor is null. */
    public QueryRunsV2Request withCursor(@Nullable String other) {
        return other == null ? this
                : new QueryRunsV2Request(projectIds, referenceDatasetId, ids, traceId, referenceExamples, runType, isRoot,
                        hasError, minStartTime, maxStartTime, filter, traceFilter, treeFilter, pageSize, other, selects);
    }
}
