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
import dev.waybill.experiment.link.AttachmentLinks;
import dev.waybill.experiment.link.AttachmentKey;
import io.smallrye.mutiny.Multi;

/** Files of runs by the signed links of {@code s3_urls}, which tracing clients follow without a key. */
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
    @Operation(operationId = "get_linked_attachment", summary = "Download a file of a run by its link; needs no key", description = "The link is in s3_urls of the run and is valid for an hour.")
    @APIResponse(responseCode = "200", description = "Its bytes.", content = @Content(mediaType = MediaType.APPLICATION_OCTET_STREAM, schema = @Schema(type = SchemaType.STRING, format = "binary")))
    public Multi<byte[]> get(@RestPath String token) {
        AttachmentKey file = links.read(token).orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                "The link is not valid or has expired; read the run again to get a new one."));
        return RestMulti.fromUniResponse(attachments.get(file.tenantId(), file.runId(), file.name()),
                attachment -> attachments.content(file.tenantId(), file.runId(), attachment), AttachmentHeaders::of);
    }
}
