package dev.waybill.experiment.example;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ChangedExamplesResponse;
import dev.waybill.common.api.experiment.CreateExampleRequest;
import dev.waybill.common.api.experiment.ExampleResponse;
import dev.waybill.common.api.experiment.UpdateExampleRequest;
import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/**
 * Manages examples (docs/decisions/0027). Bodies are read from the request's stream, because they are too large to be bound
 * to objects.
 */
@Path("/api/v1/examples")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Examples", description = "Inputs and expected outputs that experiments run on.")
class ExampleResource {

    private final ExampleBodyReader bodies;
    private final ExampleIntakeService intake;
    private final ExampleService examples;
    private final CallerContext caller;

    ExampleResource(ExampleBodyReader bodies, ExampleIntakeService intake, ExampleService examples, CallerContext caller) {
        this.bodies = bodies;
        this.intake = intake;
        this.examples = examples;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_example", summary = "Add an example to an ordinary dataset", description = "409 if the dataset is managed by uploads, or if the id exists.")
    @RequestBody(required = true, content = @Content(schema = @Schema(implementation = CreateExampleRequest.class)))
    public Uni<ExampleResponse> create() {
        UUID workspace = caller.workspace();
        return bodies.readIdempotent((digest, body) -> intake.create(digest, workspace, body))
                .chain(created -> examples.get(workspace, created.exampleIds().getFirst()));
    }

    @POST
    @Path("bulk")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_examples", summary = "Add examples to ordinary datasets in one transaction", description = "At most 10,000 examples. 409 if a dataset is managed by uploads, or if an id exists.")
    @RequestBody(required = true, content = @Content(schema = @Schema(implementation = CreateExampleRequest[].class)))
    public Uni<ChangedExamplesResponse> createBulk() {
        UUID workspace = caller.workspace();
        return bodies.readIdempotent((digest, body) -> intake.createList(digest, workspace, body));
    }

    @GET
    @Operation(operationId = "list_examples", summary = "List examples of a dataset or by id, newest first", description = "An unsupported query parameter is a 422, because ignoring it would return other examples than requested.")
    @APIResponse(responseCode = "200", description = "The examples. X-Pagination-Total is the total number.", content = @Content(schema = @Schema(implementation = ExampleResponse[].class)))
    public Uni<RestResponse<List<ExampleResponse>>> list(
            @Parameter(description = "Either dataset or id is required.") @RestQuery @Nullable UUID dataset,
            @RestQuery List<UUID> id,
            @Parameter(description = "Examples in any of these splits; examples without splits belong to base.") @RestQuery List<String> splits,
            @Parameter(description = "A version of the dataset: a time, or latest. 422 if examples were updated or deleted since.") @RestQuery("as_of") @Nullable String asOf,
            @Parameter(description = "A JSON object; the example's metadata must contain all of its members.") @RestQuery @Nullable String metadata,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String offset,
            @Context UriInfo uri) {
        // inline_s3_urls requests documents within the response, which always contains them.
        QueryParameters.requireKnown(uri, "dataset", "id", "splits", "as_of", "metadata", "limit", "offset", "inline_s3_urls");
        ExampleQuery query = new ExampleQuery(dataset, id, splits, ExampleQuery.parseVersion(asOf),
                MetadataFilter.parse(metadata),
                PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT));
        return examples.list(caller.workspace(), query)
                .map(page -> RestResponse.ResponseBuilder.ok(page.items())
                        .header(Page.TOTAL_HEADER, page.total())
                        .build());
    }

    @GET
    @Path("{example_id}")
    @Operation(operationId = "get_example", summary = "Read an example")
    public Uni<ExampleResponse> get(@RestPath("example_id") UUID exampleId,
            @Parameter(description = "A time, or latest. 422 if the example was updated since.") @RestQuery("as_of") @Nullable String asOf) {
        return examples.get(caller.workspace(), exampleId, ExampleQuery.parseVersion(asOf));
    }

    @PATCH
    @Path("{example_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_example", summary = "Update an example; null members stay unchanged", description = "Existing runs on the example keep their inputs. 409 if its dataset is managed by uploads.")
    @RequestBody(required = true, content = @Content(schema = @Schema(implementation = UpdateExampleRequest.class)))
    public Uni<ExampleResponse> update(@RestPath("example_id") UUID exampleId) {
        UUID workspace = caller.workspace();
        return bodies.read(body -> intake.update(workspace, exampleId, body))
                .chain(changed -> examples.get(workspace, exampleId));
    }

    @DELETE
    @Path("{example_id}")
    @Operation(operationId = "delete_example", summary = "Delete an example; runs on it are not deleted")
    @APIResponse(responseCode = "200", description = "The example is deleted.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    public Uni<IntakeResponse> delete(@RestPath("example_id") UUID exampleId) {
        return intake.remove(caller.workspace(), Set.of(exampleId))
                .replaceWith(new IntakeResponse("Example deleted"));
    }

    @DELETE
    @Operation(operationId = "delete_examples", summary = "Delete examples in one transaction; runs on them are not deleted")
    @APIResponse(responseCode = "200", description = "The examples are deleted.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    public Uni<IntakeResponse> deleteAll(
            @Parameter(required = true) @RestQuery("example_ids") List<UUID> exampleIds) {
        return intake.remove(caller.workspace(), ExampleQuery.requireNonEmpty(exampleIds))
                .replaceWith(new IntakeResponse("Examples deleted"));
    }
}
