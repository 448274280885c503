package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.Pattern;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.RejectUnknownMembers;

/** Requests statistics of the runs that satisfy the conditions of {@link QueryRunsRequest}. */
@RejectUnknownMembers
public record QueryRunStatsRequest(
        @Schema(implementation = UUID[].class, description = ONE_OR_MORE) @Nullable JsonNode session,
        @Schema(implementation = UUID[].class, description = ONE_OR_MORE) @Nullable JsonNode id,
        @Schema(description = "Runs of this trace.") @Nullable UUID trace,
        @Schema(description = "Direct children of this run.") @Nullable UUID parentRun,
        @Schema(implementation = UUID[].class, description = ONE_OR_MORE) @Nullable JsonNode referenceExample,
        @Pattern(regexp = "tool|chain|llm|retriever|embedding|prompt|parser", message = "must be one of tool, chain, llm, retriever, embedding, prompt, parser") @Schema(examples = "llm") @Nullable String runType,
        @Nullable Boolean isRoot,
        @Schema(description = "Whether the run has an error.") @Nullable Boolean error,
        @Schema(description = "Runs that started then or later.") @Nullable Instant startTime,
        @Schema(description = "Runs that started before.") @Nullable Instant endTime,
        @Schema(description = "Words that occur in name, error, inputs, outputs or tags, all of them, in any case.") @Nullable String query,
        @Schema(description = "A filter on the run (docs/filters.md).") @Nullable String filter,
        @Schema(description = "A filter on the first run of its trace.") @Nullable String traceFilter,
        @Schema(description = "A filter that some run of its trace must match.") @Nullable String treeFilter) {

    private static final String ONE_OR_MORE = "One id, or a list of up to 100.";

    /** Returns the query for the same runs. */
    public QueryRunsRequest toQuery() {
        return new QueryRunsRequest(session, id, trace, parentRun, referenceExample, runType, isRoot, error, startTime, endTime,
                query, filter, traceFilter, treeFilter, null, null, null, null, null, null, null);
    }
}
