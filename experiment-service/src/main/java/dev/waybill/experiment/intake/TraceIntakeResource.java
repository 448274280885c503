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
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.BodyReader;
import dev.waybill.experiment.run.RunLookupService;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/**
 * Receives runs (contract.md "Trace intake"). Bodies are read from the request's stream, because they are too large to be
 * bound to objects.
 */
@Path("/api/v1/runs")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Runs", description = "Trace intake: runs as tracing clients send them.")
class TraceIntakeResource {

    private final BodyReader bodies;
    private final IntakeService intake;
    private final RunLookupService runs;
    private final CallerContext caller;
    private final HttpServerRequest request;

    TraceIntakeResource(BodyReader bodies, IntakeService intake, RunLookupService runs, CallerContext caller,
            HttpServerRequest request) {
        this.bodies = bodies;
        this.intake = intake;
        this.runs = runs;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "post_run", summary = "Store one run", description = "trace_id and dotted_order are derived if they are missing. A run whose id already exists is not changed.")
    @RequestBody(required = true, content = @Content(schema = @Schema(ref = RunSchemaFilter.RUN)))
    @APIResponse(responseCode = "202", description = "The run is stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> create() {
        UUID workspace = caller.workspace();
        return store(body -> intake.create(workspace, body), "Run stored");
    }

    @PATCH
    @Path("{run_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "patch_run", summary = "Patch one run", description = "Null or absent members stay unchanged. A patch that arrives before its run is stored and applied when the run arrives.")
    @RequestBody(required = true, content = @Content(schema = @Schema(ref = RunSchemaFilter.RUN)))
    @APIResponse(responseCode = "202", description = "The patch is stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
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
    @Operation(operationId = "post_runs_batch", summary = "Create and patch runs in one transaction", description = "Every run needs trace_id and dotted_order. The body may be compressed with gzip or zstd (Content-Encoding).")
    @RequestBody(required = true, content = @Content(schema = @Schema(ref = RunSchemaFilter.BATCH)))
    @APIResponse(responseCode = "202", description = "All runs and patches are stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> createBatch() {
        UUID workspace = caller.workspace();
        return store(body -> intake.storeBatch(workspace, body), "Runs stored");
    }

    @POST
    @Path("multipart")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    @Operation(operationId = "post_runs_multipart", summary = "Create and patch runs in one transaction, with large members in parts of their own", description = RunSchemaFilter.MULTIPART)
    @RequestBody(required = true, content = @Content(mediaType = MediaType.MULTIPART_FORM_DATA, schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "202", description = "All runs and patches are stored.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    @RolesAllowed(Role.APPLICATIONS)
    public Uni<RestResponse<IntakeResponse>> createMultipart() {
        UUID workspace = caller.workspace();
        return store(body -> intake.storeMultipart(workspace, body), "Runs stored");
    }

    private Uni<RestResponse<IntakeResponse>> store(Function<Body, Uni<Void>> operation, String message) {
        return bodies.read(request)
                .chain(body -> operation.apply(body).onTermination().invoke(body::release))
                .map(ignored -> RestResponse.status(Status.ACCEPTED, new IntakeResponse(message)));
    }
}
