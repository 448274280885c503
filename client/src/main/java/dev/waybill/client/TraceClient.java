package dev.waybill.client;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.trace.AttachmentResponse;
import dev.waybill.common.api.trace.CreateSessionRequest;
import dev.waybill.common.api.trace.EventsResponse;
import dev.waybill.common.api.trace.InfoResponse;
import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.common.api.trace.QueryRunsV2Request;
import dev.waybill.common.api.trace.QueryThreadsRequest;
import dev.waybill.common.api.trace.RetentionResponse;
import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.api.trace.RunStatsByTimeResponse;
import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.api.trace.ThreadPageResponse;
import dev.waybill.common.api.trace.TraceResponse;
import dev.waybill.common.api.trace.UpdateSessionRequest;

/** The traces of the experiment service: sessions, runs, attachments and threads. */
@Path("/api")
@Produces("application/json")
public interface TraceClient {

    /** Returns the version and the limits of the service; needs no key. */
    @GET
    @Path("/v1/info")
    InfoResponse getInfo();

    /** Lists changes of resources in the workspace. */
    @GET
    @Path("/v1/events")
    EventsResponse listEvents(@QueryParam("since") @Nullable String since);

    /** Downloads an attachment of a run by its signed link; needs no key. */
    @GET
    @Path("/v1/public/attachments/{token}")
    @Produces("application/octet-stream")
    byte[] getLinkedAttachment(@PathParam("token") String token);

    /** Stores one run. */
    @POST
    @Path("/v1/runs")
    IntakeResponse postRun(JsonNode request);

    /** Creates and patches runs in one transaction. */
    @POST
    @Path("/v1/runs/batch")
    IntakeResponse postRunsBatch(JsonNode request);

    /** Creates and patches runs in one transaction, with large members in parts of their own. */
    @POST
    @Path("/v1/runs/multipart")
    IntakeResponse postRunsMultipart(RunsMultipart batch);

    /** Queries runs. */
    @POST
    @Path("/v1/runs/query")
    QueryRunsResponse queryRuns(QueryRunsRequest request);

    /** Calculates statistics of runs. */
    @POST
    @Path("/v1/runs/stats")
    RunStatsResponse getRunStats(QueryRunStatsRequest request);

    /** Patches one run. */
    @PATCH
    @Path("/v1/runs/{run_id}")
    IntakeResponse patchRun(@PathParam("run_id") UUID runId, JsonNode request);

    /** Reads one run. */
    @GET
    @Path("/v1/runs/{run_id}")
    RunResponse getRun(@PathParam("run_id") UUID runId);

    /** Lists the attachments of a run. */
    @GET
    @Path("/v1/runs/{run_id}/attachments")
    List<AttachmentResponse> listAttachments(@PathParam("run_id") UUID runId);

    /** Downloads an attachment of a run. */
    @GET
    @Path("/v1/runs/{run_id}/attachments/{name}")
    @Produces("application/octet-stream")
    byte[] getAttachment(@PathParam("run_id") UUID runId, @PathParam("name") String name);

    /** Lists sessions, newest first by default. */
    @GET
    @Path("/v1/sessions")
    List<SessionResponse> listSessions(@QueryParam("id") @Nullable List<UUID> id,
            @QueryParam("include_stats") @Nullable Boolean includeStats, @QueryParam("limit") @Nullable Integer limit,
            @QueryParam("metadata") @Nullable String metadata, @QueryParam("name") @Nullable String name,
            @QueryParam("name_contains") @Nullable String nameContains, @QueryParam("offset") @Nullable Integer offset,
            @QueryParam("reference_dataset") @Nullable List<UUID> referenceDataset,
            @QueryParam("reference_free") @Nullable Boolean referenceFree, @QueryParam("sort_by") @Nullable String sortBy,
            @QueryParam("sort_by_desc") @Nullable Boolean sortByDesc, @QueryParam("trace_tier") @Nullable String traceTier);

    /** Returns the retention of runs by trace tier. */
    @GET
    @Path("/v1/retention")
    RetentionResponse getRetention();

    /** Finds the session with this name. */
    default Optional<SessionResponse> findSession(String name) {
        return listSessions(null, null, 1, null, name, null, null, null, null, null, null, null).stream().findFirst();
    }

    /** Creates a session. */
    @POST
    @Path("/v1/sessions")
    SessionResponse createSession(@QueryParam("upsert") @Nullable Boolean upsert, CreateSessionRequest request);

    /** Updates a session; null leaves a member unchanged. */
    @PATCH
    @Path("/v1/sessions/{session_id}")
    SessionResponse updateSession(@PathParam("session_id") UUID sessionId, UpdateSessionRequest request);

    /** Gets a session. */
    @GET
    @Path("/v1/sessions/{session_id}")
    SessionResponse getSession(@PathParam("session_id") UUID sessionId,
            @QueryParam("include_stats") @Nullable Boolean includeStats);

    /** Calculates statistics of a session's runs by time. */
    @GET
    @Path("/v1/sessions/{session_id}/runs/stats")
    RunStatsByTimeResponse getRunStatsByTime(@PathParam("session_id") UUID sessionId,
            @QueryParam("end_time") @Nullable String endTime, @QueryParam("error") @Nullable Boolean error,
            @QueryParam("filter") @Nullable String filter, @QueryParam("interval") @Nullable String interval,
            @QueryParam("is_root") @Nullable Boolean isRoot, @QueryParam("max_buckets") @Nullable Integer maxBuckets,
            @QueryParam("query") @Nullable String query, @QueryParam("run_type") @Nullable String runType,
            @QueryParam("start_time") @Nullable String startTime, @QueryParam("trace_filter") @Nullable String traceFilter,
            @QueryParam("tree_filter") @Nullable String treeFilter);

    /** Deletes a session and its runs. */
    @DELETE
    @Path("/v1/sessions/{session_id}")
    IntakeResponse deleteSession(@PathParam("session_id") UUID sessionId);

    /** Gets the runs of a trace without their values. */
    @GET
    @Path("/v1/traces/{trace_id}")
    TraceResponse getTrace(@PathParam("trace_id") UUID traceId);

    /** Queries runs of projects, newest first. */
    @POST
    @Path("/v2/runs/query")
    ItemsResponse queryRunsV2(QueryRunsV2Request request);

    /** Gets the selected members of a run. */
    @GET
    @Path("/v2/runs/{run_id}")
    JsonNode getRunV2(@PathParam("run_id") UUID runId, @QueryParam("project_id") UUID projectId,
            @QueryParam("selects") @Nullable List<String> selects, @QueryParam("start_time") @Nullable String startTime);

    /** Queries threads of a project, those with the newest trace first. */
    @POST
    @Path("/v2/threads/query")
    ThreadPageResponse queryThreads(QueryThreadsRequest request);

    /** Lists the traces of a thread, oldest first. */
    @GET
    @Path("/v2/threads/{thread_id}/traces")
    ItemsResponse listTracesOfThread(@PathParam("thread_id") String threadId, @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("filter") @Nullable String filter, @QueryParam("page_size") @Nullable Integer pageSize,
            @QueryParam("project_id") UUID projectId, @QueryParam("selects") @Nullable List<String> selects);
}
