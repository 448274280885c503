package dev.waybill.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** A deployed application: its runs. */
@Path("/")
@Produces("application/json")
public interface DeploymentClient {

    /** Reads the version and the supported features. */
    @GET
    @Path("/info")
    Info getInfo();

    /** Checks that the runtime is available. */
    @GET
    @Path("/ok")
    void getOk();

    /** Starts a run in the background. */
    @POST
    @Path("/runs")
    Run startRun(RunRequest request);

    /** Starts several runs in the background, or none if one is rejected. */
    @POST
    @Path("/runs/batch")
    List<Run> startRuns(List<RunRequest> requests);

    /** Cancels several runs; {@code action} is interrupt or rollback. */
    @POST
    @Path("/runs/cancel")
    void cancelRuns(RunSelection request, @QueryParam("action") @Nullable String action);

    /** Starts a run and streams its events. */
    @POST
    @Path("/runs/stream")
    @Produces("text/event-stream")
    RunStream streamRun(RunRequest request);

    /** Starts a run and waits for its values. */
    @POST
    @Path("/runs/wait")
    JsonNode waitForRun(RunRequest request);

    /** Reads a run. */
    @GET
    @Path("/runs/{run_id}")
    Run getRun(@PathParam("run_id") UUID runId);

    /** Cancels a run. */
    @POST
    @Path("/runs/{run_id}/cancel")
    void cancelRun(@PathParam("run_id") UUID runId);

    /** Waits for the values of an existing run. */
    @GET
    @Path("/runs/{run_id}/join")
    JsonNode joinRunValues(@PathParam("run_id") UUID runId,
            @QueryParam("cancel_on_disconnect") @Nullable Boolean cancelOnDisconnect);

    /** Streams the events of an existing run. */
    @GET
    @Path("/runs/{run_id}/stream")
    @Produces("text/event-stream")
    RunStream joinRun(@PathParam("run_id") UUID runId,
            @QueryParam("cancel_on_disconnect") @Nullable Boolean cancelOnDisconnect);

    /** Starts a run on a thread in the background. */
    @POST
    @Path("/threads/{thread_id}/runs")
    Run startThreadRun(@PathParam("thread_id") UUID threadId, ThreadRunRequest request);

    /** Lists the runs of a thread, newest first. */
    @GET
    @Path("/threads/{thread_id}/runs")
    List<Run> listThreadRuns(@PathParam("thread_id") UUID threadId, @QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset, @QueryParam("status") @Nullable String status);

    /** Starts a run on a thread and streams its events. */
    @POST
    @Path("/threads/{thread_id}/runs/stream")
    @Produces("text/event-stream")
    RunStream streamThreadRun(@PathParam("thread_id") UUID threadId, ThreadRunRequest request);

    /** Starts a run on a thread and waits for its values. */
    @POST
    @Path("/threads/{thread_id}/runs/wait")
    JsonNode waitForThreadRun(@PathParam("thread_id") UUID threadId, ThreadRunRequest request);

    /** Reads a run. */
    @GET
    @Path("/threads/{thread_id}/runs/{run_id}")
    Run getThreadRun(@PathParam("thread_id") UUID threadId, @PathParam("run_id") UUID runId);

    /** Deletes an ended run of a thread with its checkpoints. */
    @DELETE
    @Path("/threads/{thread_id}/runs/{run_id}")
    void deleteThreadRun(@PathParam("thread_id") UUID threadId, @PathParam("run_id") UUID runId);

    /** Cancels a run; {@code wait} is {@code true} to wait for its end, {@code action} interrupt or rollback. */
    @POST
    @Path("/threads/{thread_id}/runs/{run_id}/cancel")
    void cancelThreadRun(@PathParam("thread_id") UUID threadId, @PathParam("run_id") UUID runId,
            @QueryParam("wait") @Nullable String wait, @QueryParam("action") @Nullable String action);

    /** Waits for the values of an existing run. */
    @GET
    @Path("/threads/{thread_id}/runs/{run_id}/join")
    JsonNode joinThreadRunValues(@PathParam("thread_id") UUID threadId, @PathParam("run_id") UUID runId,
            @QueryParam("cancel_on_disconnect") @Nullable Boolean cancelOnDisconnect);

    /** Streams the events of an existing run. */
    @GET
    @Path("/threads/{thread_id}/runs/{run_id}/stream")
    @Produces("text/event-stream")
    RunStream joinThreadRun(@PathParam("thread_id") UUID threadId, @PathParam("run_id") UUID runId,
            @QueryParam("cancel_on_disconnect") @Nullable Boolean cancelOnDisconnect);

    /** Streams the events of all runs of a thread until it is closed; {@code streamMode} is run_modes or lifecycle. */
    @GET
    @Path("/threads/{thread_id}/stream")
    @Produces("text/event-stream")
    RunStream streamThread(@PathParam("thread_id") UUID threadId, @QueryParam("stream_mode") @Nullable String streamMode);

    /**
     * Selects runs: those of a thread by id, or all with a status.
     *
     * @param threadId required with {@code runIds}
     * @param status {@code pending}, {@code running} or {@code all}; null with {@code runIds}
     */
    record RunSelection(@Nullable UUID threadId, @Nullable List<UUID> runIds, @Nullable String status) {

        /** Selects runs of a thread. */
        public static RunSelection of(UUID thread, List<UUID> runs) {
            return new RunSelection(thread, runs, null);
        }

        /** Selects all runs that have not ended. */
        public static final RunSelection ALL = new RunSelection(null, null, "all");
    }

    /** Version and supported features of the runtime. */
    record Info(String version, Map<String, Boolean> flags) {
    }

    /**
     * A run.
     *
     * @param status {@code pending}, {@code running}, {@code success}, {@code error}, {@code timeout} or {@code interrupted}
     * @param error set for failed runs only
     * @param multitaskStrategy set for runs on threads only
     */
    record Run(UUID runId, UUID threadId, UUID assistantId, String status, Instant createdAt, Instant updatedAt,
            JsonNode metadata, @Nullable RunFailure error, @Nullable String multitaskStrategy) {
    }

    /** The reason for the failure of a run. */
    record RunFailure(String error, String message) {
    }
}
