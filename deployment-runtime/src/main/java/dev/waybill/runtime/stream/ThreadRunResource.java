package dev.waybill.runtime.stream;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.stream.RunCreation.Creating;
import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Runs on threads (docs/decisions/0170). Clients also build these paths for runs without a thread, whose thread id is their own
 * id.
 */
@Path("/threads/{thread_id}/runs")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Runs")
class ThreadRunResource {

    private final StoredThreadRuns runs;
    private final RunResponses responses;
    private final RunCreation creation;
    private final ThreadRunLookup lookup;
    private final RoutingContext request;

    ThreadRunResource(StoredThreadRuns runs, RunResponses responses, RunCreation creation, ThreadRunLookup lookup,
            RoutingContext request) {
        this.runs = runs;
        this.responses = responses;
        this.creation = creation;
        this.lookup = lookup;
        this.request = request;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "start_thread_run", summary = "Start a run on a thread in the background", description = """
            The run waits for earlier runs of the thread, unless multitask_strategy is another than enqueue: reject returns 409 for a \
            busy thread, interrupt and rollback cancel its active runs. A repeated request with the same Idempotency-Key returns the \
            same run.""")
    public Uni<RestResponse<RunResponse>> create(@RestPath("thread_id") UUID threadId, CreateThreadRunRequest body,
            @HeaderParam(IdempotentRuns.HEADER) @Nullable String key) {
        return create(threadId, body, key, new Creating<>("/runs", true, creation::start, ThreadRunLookup::repeatCreated));
    }

    @POST
    @Path("/stream")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "stream_thread_run", summary = "Start a run on a thread and stream it", description = """
            Returns server-sent events as POST /runs/stream. The last one follows when the result is stored. A repeated request with \
            the same Idempotency-Key returns the events of the same run.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> stream(@RestPath("thread_id") UUID threadId, CreateThreadRunRequest body,
            @HeaderParam(IdempotentRuns.HEADER) @Nullable String key) {
        return create(threadId, body, key, new Creating<>("/runs/stream", false, run -> responses.stream(run, request),
                run -> lookup.repeatStream(run, request)));
    }

    @POST
    @Path("/wait")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "wait_for_thread_run", summary = "Start a run on a thread and wait for its values", description = """
            Returns the graph's final values when they are stored, or {"__error__": {"error", "message"}} with status 200 for a failed \
            run. A repeated request with the same Idempotency-Key returns the result of the same run.""")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> await(@RestPath("thread_id") UUID threadId, CreateThreadRunRequest body,
            @HeaderParam(IdempotentRuns.HEADER) @Nullable String key) {
        return create(threadId, body, key, new Creating<>("/runs/wait", false,
                run -> responses.await(run, request, key != null), run -> lookup.repeatValues(run, request)));
    }

    private <T> Uni<T> create(UUID threadId, CreateThreadRunRequest body, @Nullable String key, Creating<T> operation) {
        return creation.create(lookup.threadOf(threadId), body, key, operation);
    }

    @GET
    @Operation(operationId = "list_thread_runs", summary = "List the runs of a thread", description = "Newest first.")
    public Uni<List<RunResponse>> list(@RestPath("thread_id") UUID threadId,
            @RestQuery @Nullable String limit, @RestQuery @Nullable String offset,
            @Parameter(schema = @Schema(implementation = RunStatus.class)) @RestQuery @Nullable String status) {
        ThreadRunQuery query = ThreadRunQuery.parse(limit, offset, status);
        return runs.list(lookup.threadOf(threadId), query.status(), query.page().limit(), query.page().offset());
    }

    @GET
    @Path("/{run_id}")
    @Operation(operationId = "get_thread_run", summary = "Read a run")
    public Uni<RunResponse> get(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId) {
        Optional<Run> withoutThread = lookup.withoutThread(threadId, runId);
        return withoutThread.isPresent() ? Uni.createFrom().item(withoutThread.get().response())
                : runs.get(lookup.threadOf(threadId), runId);
    }

    @DELETE
    @Path("/{run_id}")
    @ResponseStatus(204)
    @Operation(operationId = "delete_thread_run", summary = "Delete a run of a thread", description = """
            Deletes an ended run with its checkpoints; 409 while a run of the thread is active.""")
    public Uni<Void> delete(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId) {
        return runs.delete(lookup.threadOf(threadId), runId);
    }

    @POST
    @Path("/{run_id}/cancel")
    @Operation(operationId = "cancel_thread_run", summary = "Cancel a run", description = """
            With action interrupt, the run ends as interrupted; with rollback, it is deleted with its checkpoints. With wait, the \
            response follows the end of the run. Has no effect on an ended run.""")
    @APIResponse(responseCode = "202", description = "The run is cancelled or had already ended.")
    @APIResponse(responseCode = "204", description = "The run has ended; the request has wait.")
    public Uni<RestResponse<Void>> cancel(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId,
            @RestQuery @Nullable String wait,
            @Parameter(schema = @Schema(enumeration = { "interrupt", "rollback" })) @RestQuery @Nullable String action) {
        return lookup.cancel(threadId, runId, ThreadRunQuery.action(action), RunResponses.isTrue(wait));
    }

    @GET
    @Path("/{run_id}/stream")
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "join_thread_run", summary = "Stream an existing run")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> join(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        return lookup.join(threadId, runId, request, lastEventId, RunResponses.isTrue(cancelOnDisconnect));
    }

    @GET
    @Path("/{run_id}/join")
    @Operation(operationId = "join_thread_run_values", summary = "Wait for the values of an existing run", description = """
            Returns the values of the thread when the run has ended, or {"__error__": {"error", "message"}} for a failed run.""")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> awaitEnd(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        return lookup.joinValues(threadId, runId, request, RunResponses.isTrue(cancelOnDisconnect));
    }
}
