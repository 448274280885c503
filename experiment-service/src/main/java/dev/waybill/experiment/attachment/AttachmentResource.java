package dev.waybill.experiment.attachment;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.common.api.trace.AttachmentResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Lists and downloads attachments of runs; they are uploaded as parts {@code attachment.<run id>.<name>} of {@code
 * /runs/multipart}.
 */
@Path("/api/v1/runs/{run_id}/attachments")
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Runs")
class AttachmentResource {

    private final AttachmentService attachments;
    private final CallerContext caller;

    AttachmentResource(AttachmentService attachments, CallerContext caller) {
        this.attachments = attachments;
        this.caller = caller;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "list_attachments", summary = "List the attachments of a run", description = "Sorted by name. Attachments are deleted together with their run.")
    public Uni<List<AttachmentResponse>> list(@RestPath("run_id") UUID runId) {
        return attachments.list(caller.workspace(), runId);
    }

    @GET
    @Path("{name:.+}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(operationId = "get_attachment", summary = "Download an attachment of a run", description = "Returns the bytes exactly as they were sent, as a download. The media type is in the list of attachments.")
    @APIResponse(responseCode = "200", description = "The content of the attachment.", content = @Content(mediaType = MediaType.APPLICATION_OCTET_STREAM, schema = @Schema(type = SchemaType.STRING, format = "binary")))
    public Multi<byte[]> get(@RestPath("run_id") UUID runId, @RestPath String name) {
        UUID workspace = caller.workspace();
        return RestMulti.fromUniResponse(attachments.get(workspace, runId, name),
                attachment -> attachments.content(workspace, runId, attachment), AttachmentHeaders::of);
    }
}
