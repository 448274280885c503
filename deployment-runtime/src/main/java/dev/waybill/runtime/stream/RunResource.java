package dev.waybill.runtime.stream;

import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.ResolvedRun;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.stream.RunCreation.Creating;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Runs of the application's assistants (interface.md 4.4, contract.md "Deployed application"). */
@Path("/runs")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Runs")
class RunResource {

    private final RunLifecycleService runs;
    private final RunResponses responses;
    private final RunCreation creation;
    private final ThreadRunLookup lookup;
    private final SecurityIdentity caller;
    private final RoutingContext request;

    RunResource(RunLifecycleService runs, RunResponses responses, RunCreation creation, ThreadRunLookup lookup,
            SecurityIdentity caller, RoutingContext request) {
        this.runs = runs;
        this.responses = responses;
        this.creation = creation;
        this.lookup = lookup;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Path("/stream")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "stream_run", summary = "Start a run and stream it", description = """
            Returns server-sent events: metadata first, then those of the requested stream_mode, and finally either end or error. When the \
            client disconnects, the run is cancelled unless on_disconnect is continue. A repeated request with the same Idempotency-Key \
            returns the same run's stream from its first event.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> stream(CreateRunRequest body, @HeaderParam(IdempotentRuns.HEADER) @Nullable String key) {
        return resolve(key == null ? body : body.asResumable())
                .chain(requested -> creation.create(requested, key("/runs/stream", key),
                        new Creating<>("/runs/stream", false, run -> responses.stream(run, request),
                                run -> lookup.repeatStream(run, request)),
                        run -> responses.replay(run, request)));
    }

    @POST
    @Path("/wait")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "wait_for_run", summary = "Start a run and wait for its values", description = """
            Returns the graph's final values, or {"__error__": {"error", "message"}} with status 200 for a failed run.""")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> await(CreateRunRequest body, @HeaderParam(IdempotentRuns.HEADER) @Nullable String key) {
        return resolve(body)
                .chain(requested -> creation.create(requested, key("/runs/wait", key),
                        new Creating<>("/runs/wait", false, run -> responses.await(run, request, key != null),
                                run -> lookup.repeatValues(run, request)),
                        run -> responses.replayValues(run, request)));
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "start_run", summary = "Start a run in the background")
    public Uni<RestResponse<RunResponse>> create(CreateRunRequest body,
            @HeaderParam(IdempotentRuns.HEADER) @Nullable String key) {
        return resolve(body)
                .chain(requested -> creation.create(requested, key("/runs", key),
                        new Creating<>("/runs", true, this::started, ThreadRunLookup::repeatCreated),
                        RunResource::createdResponse));
    }

    private Uni<RestResponse<RunResponse>> started(Run run) {
        run.retainValues();
        return creation.start(run);
    }

    private Uni<ResolvedRun> resolve(CreateRunRequest body) {
        return runs.resolve(body, ThreadOwner.of(principal()));
    }

    private static Uni<RestResponse<RunResponse>> createdResponse(Run run) {
        return ThreadRunLookup.created(run.createdResponse(), run.path());
    }

    @GET
    @Path("/{run_id}")
    @Operation(operationId = "get_run", summary = "Read a run")
    public Uni<RunResponse> get(@RestPath("run_id") UUID runId) {
        return Uni.createFrom().item(() -> runs.require(runId, principal()).response());
    }

    @POST
    @Path("/{run_id}/cancel")
    @Operation(operationId = "cancel_run", summary = "Cancel a run", description = """
            The run's stream closes with the error Cancelled. Has no effect on an ended run.""")
    @APIResponse(responseCode = "202", description = "The run is cancelled or had already ended.")
    public Uni<RestResponse<Void>> cancel(@RestPath("run_id") UUID runId) {
        runs.cancel(runs.require(runId, principal()));
        return Uni.createFrom().item(RestResponse.accepted());
    }

    @GET
    @Path("/{run_id}/stream")
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "join_run", summary = "Stream an existing run", description = """
            Returns the events from now on; with Last-Event-ID, those after that event, or all with -1. 410 when these are no longer \
            retained: only runs with stream_resumable retain events.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> join(@RestPath("run_id") UUID runId,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        Run run = runs.require(runId, principal());
        return responses.join(run, request, EventPosition.of(run, lastEventId), RunResponses.isTrue(cancelOnDisconnect));
    }

    @GET
    @Path("/{run_id}/join")
    @Operation(operationId = "join_run_values", summary = "Wait for the values of an existing run", description = """
            Returns the same body as /runs/wait when the run has ended. 410 when the values are not retained: only background \
            runs and runs with stream_resumable retain them, and those with stream_mode values while they run.""")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> awaitEnd(@RestPath("run_id") UUID runId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        return responses.joinValues(runs.require(runId, principal()), request, RunResponses.isTrue(cancelOnDisconnect));
    }

    private IdempotentRuns.Key key(String path, @Nullable String key) {
        return new IdempotentRuns.Key(principal(), path, key == null ? null : key.strip());
    }

    private String principal() {
        return caller.getPrincipal().getName();
    }
}
