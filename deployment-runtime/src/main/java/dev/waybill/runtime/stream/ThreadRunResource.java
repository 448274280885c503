package dev.waybill.runtime.stream;

import java.util.UUID;

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

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.run.RunResponse;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * The same runs under the paths that clients build from {@code thread_id} and {@code run_id}. Runs have no threads: the thread
 * id of
 * a run is its own id.
 */
@Path("/threads/{thread_id}/runs/{run_id}")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Runs")
class ThreadRunResource {

    private final RunLifecycleService runs;
    private final RunResponses responses;
    private final SecurityIdentity caller;
    private final RoutingContext request;

    ThreadRunResource(RunLifecycleService runs, RunResponses responses, SecurityIdentity caller, RoutingContext request) {
        this.runs = runs;
        this.responses = responses;
        this.caller = caller;
        this.request = request;
    }

    @GET
    @Operation(operationId = "get_thread_run", summary = "Read a run")
    public Uni<RunResponse> get(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId) {
        return Uni.createFrom().item(() -> require(threadId, runId).response());
    }

    @POST
    @Path("/cancel")
    @Operation(operationId = "cancel_thread_run", summary = "Cancel a run")
    @APIResponse(responseCode = "202", description = "The run is cancelled or had already ended.")
    public Uni<RestResponse<Void>> cancel(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId) {
        runs.cancel(require(threadId, runId));
        return Uni.createFrom().item(RestResponse.accepted());
    }

    @GET
    @Path("/stream")
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "join_thread_run", summary = "Stream an existing run")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> join(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        Run run = require(threadId, runId);
        return responses.join(run, request, EventPosition.of(run, lastEventId), RunResponses.isTrue(cancelOnDisconnect));
    }

    @GET
    @Path("/join")
    @Operation(operationId = "join_thread_run_values", summary = "Wait for the values of an existing run")
    @APIResponse(responseCode = "200", description = "The values.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<Void> awaitEnd(@RestPath("thread_id") UUID threadId, @RestPath("run_id") UUID runId,
            @RestQuery("cancel_on_disconnect") @Nullable String cancelOnDisconnect) {
        return responses.joinValues(require(threadId, runId), request, RunResponses.isTrue(cancelOnDisconnect));
    }

    private Run require(UUID threadId, UUID runId) {
        if (!threadId.equals(runId)) {
            throw new ProblemException(CommonProblem.NOT_FOUND,
                    "The thread " + threadId + " does not exist; the thread of a run has the id of the run.");
        }
        return runs.require(runId, caller.getPrincipal().getName());
    }
}
