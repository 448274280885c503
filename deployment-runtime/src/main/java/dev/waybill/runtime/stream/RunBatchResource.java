package dev.waybill.runtime.stream;

import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.run.CancelRunsRequest;
import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.RunBatch;
import dev.waybill.runtime.run.RunBatchService;
import dev.waybill.runtime.run.RunCancellationService;
import dev.waybill.runtime.run.RunResponse;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Several runs in one request. */
@Path("/runs")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Runs")
class RunBatchResource {

    private final RunBatchService batches;
    private final RunCancellationService cancellations;
    private final SecurityIdentity caller;

    RunBatchResource(RunBatchService batches, RunCancellationService cancellations, SecurityIdentity caller) {
        this.batches = batches;
        this.cancellations = cancellations;
        this.caller = caller;
    }

    @POST
    @Path("/batch")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "start_runs", summary = "Start several runs in the background", description = """
            Each element is a body of POST /runs; at most 100. If one is rejected, no run is started: 422 has the violations of all \
            elements, with the index of the element first.""")
    public Uni<List<RunResponse>> create(
            @RequestBody(required = true, content = @Content(schema = @Schema(implementation = CreateRunRequest[].class))) RunBatch body) {
        return batches.start(body.runs(), ThreadOwner.of(principal()), principal());
    }

    @POST
    @Path("/cancel")
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(204)
    @Operation(operationId = "cancel_runs", summary = "Cancel several runs", description = """
            Cancels runs of a thread by id, or all runs of the caller with a status, of one thread if thread_id is given. With action \
            interrupt, they end as interrupted; with rollback, they are deleted with their checkpoints. The response does not wait for \
            their end. Has no effect on ended runs. Runs without a thread are selected by status only on the replica that executes them.""")
    public Uni<Void> cancel(CancelRunsRequest body,
            @Parameter(schema = @Schema(enumeration = { "interrupt", "rollback" })) @RestQuery @Nullable String action) {
        return cancellations.cancel(ThreadOwner.of(principal()), principal(), body, ThreadRunQuery.action(action));
    }

    private String principal() {
        return caller.getPrincipal().getName();
    }
}
