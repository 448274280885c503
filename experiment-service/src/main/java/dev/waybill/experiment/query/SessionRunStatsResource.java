package dev.waybill.experiment.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunStatsByTimeResponse;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.query.ConditionalJson.Client;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** HTTP resource for statistics of a session's runs by time. */
@Path("/api/v1/sessions/{session_id}/runs/stats")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Sessions")
class SessionRunStatsResource {

    private static final String[] PARAMETERS = { "start_time", "end_time", "interval", "max_buckets", "is_root", "run_type",
            "error", "query", "filter", "trace_filter", "tree_filter" };

    private final RunStatsByTimeService statistics;
    private final CallerContext caller;
    private final HttpServerRequest request;

    SessionRunStatsResource(RunStatsByTimeService statistics, CallerContext caller, HttpServerRequest request) {
        this.statistics = statistics;
        this.caller = caller;
        this.request = request;
    }

    @GET
    @Operation(operationId = "get_run_stats_by_time", summary = "Calculate statistics of a session's runs by time", description = """
            Accepts the conditions of a query for runs and divides the range into at most 744 buckets by the start of the runs. A \
            query that exceeds the time limit responds with 422: restrict the range. With `If-None-Match`, responds with 304 if the \
            statistics have not changed. Without conditions, or with `is_root=true` only, buckets of whole hours are merged from hourly \
            summaries: percentiles of hours with more than 100 runs are estimates within 1 %, all other figures are exact.""")
    @APIResponseSchema(value = RunStatsByTimeResponse.class, responseCode = "200")
    public Uni<RestResponse<byte[]>> get(@RestPath("session_id") UUID sessionId,
            @Parameter(description = "Start of the range, inclusive; default: the start of the first run.") @RestQuery("start_time") @Nullable String startTime,
            @Parameter(description = "End of the range, exclusive; default: after the start of the last run.") @RestQuery("end_time") @Nullable String endTime,
            @Parameter(description = "Width of the buckets; default: the smallest with at most max_buckets.", schema = @Schema(type = SchemaType.STRING, enumeration = {
                    "1m", "5m", "15m", "30m", "1h", "3h", "6h", "12h", "1d", "7d", "30d",
                    "365d" })) @RestQuery @Nullable String interval,
            @Parameter(description = "Default: 60.", schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "744")) @RestQuery("max_buckets") @Nullable String maxBuckets,
            @Parameter(schema = @Schema(type = SchemaType.BOOLEAN)) @RestQuery("is_root") @Nullable String isRoot,
            @RestQuery("run_type") @Nullable String runType,
            @Parameter(description = "Whether the run has an error.", schema = @Schema(type = SchemaType.BOOLEAN)) @RestQuery @Nullable String error,
            @Parameter(description = "Words that occur in name, error, inputs, outputs or tags, all of them, in any case.") @RestQuery @Nullable String query,
            @Parameter(description = "A filter on the run (docs/filters.md).") @RestQuery @Nullable String filter,
            @Parameter(description = "A filter on the first run of its trace.") @RestQuery("trace_filter") @Nullable String traceFilter,
            @Parameter(description = "A filter that some run of its trace must match.") @RestQuery("tree_filter") @Nullable String treeFilter,
            @Parameter(schema = @Schema(type = SchemaType.STRING)) @HeaderParam(HttpHeaders.IF_NONE_MATCH) @Nullable List<String> known,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, PARAMETERS);
        return statistics.get(caller.workspace(), RunStatsByTimeQuery.parse(sessionId, parameters(uri)),
                Client.of(known, request.getHeader(HttpHeaders.ACCEPT_ENCODING)));
    }

    // The parameters of the method describe the operation; they are parsed together, so that all violations are reported.
    private static Map<String, String> parameters(UriInfo uri) {
        Map<String, String> parameters = new HashMap<>();
        for (String name : PARAMETERS) {
            String value = uri.getQueryParameters().getFirst(name);
            if (value != null && !value.isBlank()) {
                parameters.put(name, value);
            }
        }
        return parameters;
    }
}
