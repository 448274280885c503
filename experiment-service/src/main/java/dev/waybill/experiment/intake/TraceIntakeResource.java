package dev.waybill.experiment.intake;

import java.util.UUID;
import java.util.function.Function;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.BodyReader;
import dev.waybill.experiment.run.RunService;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** Runs over HTTP (contract.md "Trace intake"). Bodies are taken from the request itself: they are too large to be bound. */
@Path("/api/v1/runs")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Runs", description = "Trace intake: what tracing clients send.")
class TraceIntakeResource {

    private final BodyReader bodies;
    private final IntakeService intake;
    private final RunService runs;
    private final CallerContext caller;
    private final HttpServerRequest request;

    TraceIntakeResource(BodyReader bodies, IntakeService intake, RunService runs, CallerContext caller,
            HttpServerRequest request) {
        this.bodies = bodies;
        this.intake = intake;
        this.runs = runs;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "post_run", summary = "Store one run", description = "Its place in its trace (trace_id, dotted_order) is derived where it gives none. A run with a known id changes nothing.")
    @RequestBody(required = true, content = @Content(schema = @Schema(ref = RunSchemaFilter.RUN)))
    @APIResponse(responseCode = "202", description = "It is stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> create() {
        UUID workspace = caller.workspace();
        return store(body -> intake.create(workspace, body), "Run stored");
    }

    @PATCH
    @Path("{run_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "patch_run", summary = "Change one run", description = "What is null or absent stays as it is. A change that comes before its run is kept and made when the run comes.")
    @RequestBody(required = true, content = @Content(schema = @Schema(ref = RunSchemaFilter.RUN)))
    @APIResponse(responseCode = "202", description = "The change is stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> update(@RestPath("run_id") UUID runId) {
        UUID workspace = caller.workspace();
        return store(body -> intake.update(workspace, runId, body), "Run changed");
    }

    @GET
    @Path("{run_id}")
    @Operation(operationId = "get_run", summary = "Read one run")
    public Uni<RunResponse> get(@RestPath("run_id") UUID runId) {
        return runs.get(caller.workspace(), runId);
    }

    @POST
    @Path("batch")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "post_runs_batch", summary = "Store and change runs, all of them or none", description = "Every run gives trace_id and dotted_order. The body may be packed with gzip or zstd (Content-Encoding).")
    @RequestBody(required = true, content = @Content(schema = @Schema(ref = RunSchemaFilter.BATCH)))
    @APIResponse(responseCode = "202", description = "All of it is stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> createBatch() {
        UUID workspace = caller.workspace();
        return store(body -> intake.storeBatch(workspace, body), "Runs stored");
    }

    @POST
    @Path("multipart")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    @Operation(operationId = "post_runs_multipart", summary = "Store and change runs, all of them or none, large members apart", description = RunSchemaFilter.MULTIPART)
    @RequestBody(required = true, content = @Content(mediaType = MediaType.MULTIPART_FORM_DATA, schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "202", description = "All of it is stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> createMultipart() {
        UUID workspace = caller.workspace();
        return store(body -> intake.storeMultipart(workspace, body), "Runs stored");
    }

    private Uni<RestResponse<IntakeResponse>> store(Function<Body, Uni<Void>> storing, String message) {
        return bodies.read(request)
                .chain(body -> storing.apply(body).onTermination().invoke(body::release))
                .map(ignored -> RestResponse.status(Status.ACCEPTED, new IntakeResponse(message)));
    }
}
