package dev.waybill.experiment.upload;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.experiment.UploadExperimentRequest;
import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.body.BodyDigest;
import dev.waybill.experiment.body.BodySpooler;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/**
 * Receives experiment uploads (interface.md 4.3). The body is read from the request's stream, because it is too large to be
 * bound to objects.
 */
@Path("/api/v1/datasets/upload-experiment")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Experiments", description = "Experiments that were run in other systems.")
class UploadResource {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final BodySpooler bodies;
    private final UploadService uploads;
    private final Blocking blocking;
    private final CallerContext caller;
    private final HttpServerRequest request;

    UploadResource(BodySpooler bodies, UploadService uploads, Blocking blocking, CallerContext caller,
            HttpServerRequest request) {
        this.bodies = bodies;
        this.uploads = uploads;
        this.blocking = blocking;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "upload_experiment", summary = "Upload an experiment that was run in another system", description = """
            The upload is stored in one transaction. The body may have at most 100 MiB (configurable), as sent and after \
            decompression; gzip and zstd are supported (Content-Encoding). A row may have at most 16 MiB; experiment_metadata, a \
            list of scores and any single string outside of JSON members 2 MiB; a list at most 1,000 scores. A 422 lists the \
            first hundred violations; error_count is their number. With an Idempotency-Key, repeating the same body returns the \
            first response again. 409 if the dataset was not created by an upload, if dataset_id and dataset_name name different \
            datasets, or if the dataset already has an experiment of this name.""")
    @RequestBody(required = true, content = @Content(schema = @Schema(implementation = UploadExperimentRequest.class)))
    public Uni<UploadExperimentResponse> upload() {
        UUID workspace = caller.workspace();
        boolean idempotent = request.getHeader(IDEMPOTENCY_KEY) != null;
        return bodies.read(request)
                .chain(body -> upload(workspace, body, idempotent).onTermination().invoke(body::close));
    }

    private Uni<UploadExperimentResponse> upload(UUID workspace, BodySpooler.SpooledBody body, boolean idempotent) {
        Uni<BodyDigest> digest = idempotent
                ? blocking.call(() -> new BodyDigest(body.sha256()))
                : Uni.createFrom().item(BodyDigest.NONE);
        return digest.chain(sha256 -> uploads.upload(sha256, workspace, body));
    }
}
