package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Null;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.RejectUnknownMembers;

/**
 * Queries runs that satisfy all given conditions.
 *
 * @param session one id or several, like {@code id} and {@code referenceExample}: clients send both forms; the Python client
 *        names it {@code session_id} when it reads the descendants of a run
 * @param select members of a run to return; all if absent
 */
@RejectUnknownMembers
public record QueryRunsRequest(
        @JsonAlias("session_id") @Schema(implementation = UUID[].class, description = ONE_OR_MORE) @Nullable JsonNode session,
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
        @Schema(description = "A filter on the run, as in exports (docs/filters.md).", examples = "eq(run_type, \"llm\")") @Nullable String filter,
        @Schema(description = "A filter on the first run of its trace.", examples = "eq(name, \"agent\")") @Nullable String traceFilter,
        @Schema(description = "A filter that some run of its trace must match.", examples = "eq(status, \"error\")") @Nullable String treeFilter,
        @Pattern(regexp = "asc|desc", message = "must be asc or desc") @Schema(enumeration = {
                "asc",
                "desc" }, description = "Order by start time. Default: desc.") @Nullable String order,
        @Min(value = 1, message = "must be 1 to 100") @Max(value = 100, message = "must be 1 to 100") @Schema(description = "Default: 100. A page with large runs may be shorter although more pages follow.") @Nullable Integer limit,
        @Schema(description = "cursors.next of the previous page; other members must be unchanged.") @Nullable String cursor,
        @Size(max = 100, message = "must have at most 100 names") @Schema(examples = "[\"id\", \"name\", \"outputs\"]") @Nullable List<String> select,
        @Schema(description = "Whether a page may be empty although more pages follow. Without it, such a response is a redirect (307) to the next page, because the public clients stop at an empty page.") @Nullable Boolean partial,
        @Null(message = "is no longer stored; use is_root") @Schema(hidden = true) @Nullable JsonNode executionOrder,
        @Null(message = "is not supported; use search(\"words\") in filter") @Schema(hidden = true) @Nullable JsonNode searchFilter){

    /** Returns the request for the page of another cursor; this one if the cursor is null. */
    public QueryRunsRequest withCursor(@Nullable String other) {
        return other == null ? this
                : new QueryRunsRequest(session, id, trace, parentRun, referenceExample, runType, isRoot, error, startTime,
                        endTime, query, filter, traceFilter, treeFilter, order, limit, other, select, partial, executionOrder,
                        searchFilter);
    }

    private static final String ONE_OR_MORE = "One id, or a list of up to 100.";
}
