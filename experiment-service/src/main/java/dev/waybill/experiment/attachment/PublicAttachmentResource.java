package dev.waybill.experiment.attachment;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirementsSet;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.run.AttachmentLinks;
import io.smallrye.mutiny.Multi;

/** Downloads attachments of runs by the signed links in {@code s3_urls}, which tracing clients follow without a key. */
@Path(AttachmentLinks.PATH)
@PermitAll
@Tag(name = "Runs")
class PublicAttachmentResource {

    private final AttachmentService attachments;
    private final AttachmentLinks links;

    PublicAttachmentResource(AttachmentService attachments, AttachmentLinks links) {
        this.attachments = attachments;
        this.links = links;
    }

    @GET
    @Path("{token}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @SecurityRequirementsSet
    @Operation(operationId = "get_linked_attachment", summary = "Download an attachment of a run by its signed link; needs no key", description = "The run's s3_urls contain the link. It expires after one hour.")
    @APIResponse(responseCode = "200", description = "The content of the attachment.", content = @Content(mediaType = MediaType.APPLICATION_OCTET_STREAM, schema = @Schema(type = SchemaType.STRING, format = "binary")))
    public Multi<byte[]> get(@RestPath String token) {
        AttachmentLinks.AttachmentKey key = links.read(token).orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                "The link is invalid or has expired; read the run again to get a new link."));
        return RestMulti.fromUniResponse(attachments.get(key.tenantId(), key.runId(), key.name()),
                attachment -> attachments.content(key.tenantId(), key.runId(), attachment), AttachmentHeaders::of);
    }
}
