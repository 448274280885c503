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

import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunService;
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

    private final RunService runs;
    private final RunAnswers answers;
    private final RunRepetitions repetitions;
    private final SecurityIdentity caller;
    private final RoutingContext request;

    RunResource(RunService runs, RunAnswers answers, RunRepetitions repetitions, SecurityIdentity caller,
            RoutingContext request) {
        this.runs = runs;
        this.answers = answers;
        this.repetitions = repetitions;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Path("/stream")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "stream_run", summary = "Start a run and stream it", description = """
            Server-sent events: first metadata, then what stream_mode names, at last either end or error. A client that goes away \
            cancels its run unless on_disconnect is continue. With an Idempotency-Key a request that is sent again is answered with the \
            same run's stream from its first event on.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> stream(CreateRunRequest body, @HeaderParam(RunRepetitions.HEADER) @Nullable String key) {
        return repetitions.once(use("/runs/stream", key), key == null ? body : body.asResumable(),
                run -> answers.stream(run, request),
                run -> answers.again(run, request));
    }

    @POST
    @Path("/wait")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "wait_for_run", summary = "Start a run and wait for its values", description = """
            The graph's last values; of a run that failed {"__error__": {"error", "message"}}, also with status 200.""")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> await(CreateRunRequest body, @HeaderParam(RunRepetitions.HEADER) @Nullable String key) {
        return repetitions.once(use("/runs/wait", key), body,
                run -> answers.await(run, request, key != null),
                run -> answers.awaitAgain(run, request));
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "start_run", summary = "Start a run and do not wait for it")
    public Uni<RestResponse<RunResponse>> create(CreateRunRequest body,
            @HeaderParam(RunRepetitions.HEADER) @Nullable String key) {
        return repetitions.once(use("/runs", key), body,
                run -> {
                    run.keepValues();
                    runs.begin(run);
                    return created(run);
                },
                RunResource::created);
    }

    private static Uni<RestResponse<RunResponse>> created(Run run) {
        return Uni.createFrom().item(RestResponse.ResponseBuilder.ok(run.created())
                .header("Content-Location", run.path())
                .build());
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
            Its stream closes with the error Cancelled. A run that has ended stays as it is.""")
    @APIResponse(responseCode = "202", description = "It is cancelled, or had ended.")
    public Uni<RestResponse<Void>> cancel(@RestPath("run_id") UUID runId) {
        runs.cancel(runs.require(runId, principal()));
        return Uni.createFrom().item(RestResponse.accepted());
    }

    @GET
    @Path("/{run_id}/stream")
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "join_run", summary = "Stream a run that was started before", description = """
            From now on; with Last-Event-ID from behind that event on, with -1 from the first. 410 when those events are not kept any \
            more: only runs with stream_resumable keep events.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> join(@RestPath("run_id") UUID runId,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        Run run = runs.require(runId, principal());
        return answers.join(run, request, EventPosition.of(run, lastEventId), RunAnswers.isYes(cancelOnDisconnect));
    }

    @GET
    @Path("/{run_id}/join")
    @Operation(operationId = "join_run_values", summary = "Wait for the values of a run that was started before", description = """
            As /runs/wait answers them, when the run has ended. 410 when they are not kept: only runs that nobody \
            streamed or waited for, or with stream_resumable, keep them, and those with stream_mode values while they run.""")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> awaitEnd(@RestPath("run_id") UUID runId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        return answers.joinValues(runs.require(runId, principal()), request, RunAnswers.isYes(cancelOnDisconnect));
    }

    private RunRepetitions.Use use(String address, @Nullable String key) {
        return new RunRepetitions.Use(principal(), address, key == null ? null : key.strip());
    }

    private String principal() {
        return caller.getPrincipal().getName();
    }
}
