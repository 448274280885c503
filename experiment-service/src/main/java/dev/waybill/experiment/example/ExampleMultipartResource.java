package dev.waybill.experiment.example;

import java.util.Set;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
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

import dev.waybill.common.api.experiment.ChangedExamplesResponse;
import dev.waybill.common.api.experiment.DeleteExamplesRequest;
import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/**
 * Creates, updates and deletes many examples at once, in the form that clients use: multipart parts need no escaping within
 * one JSON document.
 */
@Path("/api/v1/platform/datasets")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Examples")
class ExampleMultipartResource {

    private static final String FORM = """
            Parts, in any order: `{example_id}` contains an example without its large members (metadata, split, created_at, \
            source_run_id); `{example_id}.inputs` and `{example_id}.outputs` contain these as JSON. Attachments are not supported \
            (422).""";

    private final ExampleBodyReader bodies;
    private final ExampleIntakeService intake;
    private final CallerContext caller;

    ExampleMultipartResource(ExampleBodyReader bodies, ExampleIntakeService intake, CallerContext caller) {
        this.bodies = bodies;
        this.intake = intake;
        this.caller = caller;
    }

    @POST
    @Path("{dataset_id}/examples")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    @Operation(operationId = "create_examples_multipart", summary = "Add examples to an ordinary dataset in one transaction", description = FORM)
    @RequestBody(required = true, content = @Content(mediaType = MediaType.MULTIPART_FORM_DATA, schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "201", description = "The examples are stored.", content = @Content(schema = @Schema(implementation = ChangedExamplesResponse.class)))
    public Uni<RestResponse<ChangedExamplesResponse>> create(@RestPath("dataset_id") UUID datasetId) {
        UUID workspace = caller.workspace();
        return bodies.readIdempotent((digest, body) -> intake.createForm(digest, workspace, datasetId, body))
                .map(created -> RestResponse.status(Status.CREATED, created));
    }

    @PATCH
    @Path("{dataset_id}/examples")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    @Operation(operationId = "update_examples_multipart", summary = "Update examples of a dataset in one transaction; absent members stay unchanged", description = FORM)
    @RequestBody(required = true, content = @Content(mediaType = MediaType.MULTIPART_FORM_DATA, schema = @Schema(type = SchemaType.OBJECT)))
    public Uni<ChangedExamplesResponse> update(@RestPath("dataset_id") UUID datasetId) {
        UUID workspace = caller.workspace();
        return bodies.read(body -> intake.updateForm(workspace, datasetId, body));
    }

    @POST
    @Path("examples/delete")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "delete_examples_by_post", summary = "Delete examples in one transaction; runs on them are not deleted")
    public Uni<IntakeResponse> delete(DeleteExamplesRequest request) {
        return intake.remove(caller.workspace(), Set.copyOf(request.exampleIds()))
                .replaceWith(new IntakeResponse("Examples deleted"));
    }
}
