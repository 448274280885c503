package dev.waybill.experiment.example;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ExampleResponse;
import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Lists a dataset's examples (contract.md "Experiment upload"). */
@Path("/api/v1/datasets/{dataset_id}/examples")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Examples")
class DatasetExampleResource {

    private final ExampleService examples;
    private final CallerContext caller;

    DatasetExampleResource(ExampleService examples, CallerContext caller) {
        this.examples = examples;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "list_examples_of_dataset", summary = "List a dataset's examples, newest first")
    @APIResponse(responseCode = "200", description = "The examples. X-Pagination-Total is the total number.", content = @Content(schema = @Schema(implementation = ExampleResponse[].class)))
    public Uni<RestResponse<List<ExampleResponse>>> list(@RestPath("dataset_id") UUID datasetId,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        ExampleQuery query = new ExampleQuery(datasetId, List.of(), List.of(), null, MetadataFilter.parse(null),
                PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT));
        return examples.list(caller.workspace(), query)
                .map(page -> RestResponse.ResponseBuilder.ok(page.items())
                        .header(Page.TOTAL_HEADER, page.total())
                        .build());
    }
}
