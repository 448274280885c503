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
import dev.waybill.experiment.body.SpooledBody;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** The upload over HTTP (interface.md 4.3). Its body is taken from the request itself: it is too large to be bound. */
@Path("/api/v1/datasets/upload-experiment")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Experiments", description = "Experiments that were run elsewhere.")
class UploadResource {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final BodySpooler spool;
    private final UploadService uploads;
    private final Blocking blocking;
    private final CallerContext caller;
    private final HttpServerRequest request;

    UploadResource(BodySpooler spool, UploadService uploads, Blocking blocking, CallerContext caller,
            HttpServerRequest request) {
        this.spool = spool;
        this.uploads = uploads;
        this.blocking = blocking;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "upload_experiment", summary = "Upload an experiment that was run elsewhere", description = """
            All of it is stored or nothing. The body has at most 100 MiB (by configuration), as it is sent and once it is \
            unpacked: gzip and zstd are understood (Content-Encoding). A row has at most 16 MiB, experiment_metadata, a list of scores and any single \
            text that is not within JSON 2 MiB, and a list has at most 1,000 scores. A \
            422 tells the first hundred violations, and in error_count how many there are. With an Idempotency-Key the same \
            body is answered the same again. 409 when the dataset was not made by uploads, when dataset_id and dataset_name are \
            of different datasets, and when the dataset has an experiment of this name.""")
    @RequestBody(required = true, content = @Content(schema = @Schema(implementation = UploadExperimentRequest.class)))
    public Uni<UploadExperimentResponse> upload() {
        UUID workspace = caller.workspace();
        boolean repeatable = request.getHeader(IDEMPOTENCY_KEY) != null;
        return spool.read(request)
                .chain(body -> upload(workspace, body, repeatable).onTermination().invoke(body::close));
    }

    private Uni<UploadExperimentResponse> upload(UUID workspace, SpooledBody body, boolean repeatable) {
        Uni<BodyDigest> digest = repeatable
                ? blocking.call(() -> new BodyDigest(body.sha256()))
                : Uni.createFrom().item(BodyDigest.NONE);
        return digest.chain(known -> uploads.upload(known, workspace, body));
    }
}
