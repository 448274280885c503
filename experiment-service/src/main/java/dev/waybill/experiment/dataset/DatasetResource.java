package dev.waybill.experiment.dataset;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
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
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateDatasetRequest;
import dev.waybill.common.api.experiment.DatasetResponse;
import dev.waybill.common.api.experiment.UpdateDatasetRequest;
import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Manages datasets (contract.md "Experiment upload"). */
@Path("/api/v1/datasets")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Datasets", description = "Collections of examples that experiments run on.")
class DatasetResource {

    private final DatasetService datasets;
    private final CallerContext caller;

    DatasetResource(DatasetService datasets, CallerContext caller) {
        this.datasets = datasets;
        this.caller = caller;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_dataset", summary = "Create an ordinary dataset", description = "Experiments cannot be uploaded to an ordinary dataset; an upload creates its own. 409 if the name or id exists.")
    public Uni<DatasetResponse> create(CreateDatasetRequest request) {
        return datasets.create(caller.workspace(), request);
    }

    @GET
    @Operation(operationId = "list_datasets", summary = "List datasets, newest first")
    @APIResponse(responseCode = "200", description = "The datasets. X-Pagination-Total is the total number.", content = @Content(schema = @Schema(implementation = DatasetResponse[].class)))
    public Uni<RestResponse<List<DatasetResponse>>> list(@RestQuery @Nullable String name,
            @RestQuery("name_contains") @Nullable String nameContains,
            @RestQuery("id") List<UUID> id,
            @Parameter(schema = @Schema(enumeration = { "kv", "llm",
                    "chat" })) @RestQuery("data_type") @Nullable String dataType,
            @Parameter(description = "A JSON object; the dataset's metadata must contain all of its members.") @RestQuery @Nullable String metadata,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "name", "name_contains", "id", "data_type", "metadata", "limit", "offset");
        DatasetQuery query = new DatasetQuery(name, nameContains, id, dataType, MetadataFilter.parse(metadata),
                PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT));
        return datasets.list(caller.workspace(), query).map(DatasetResource::response);
    }

    @GET
    @Path("{dataset_id}")
    @Operation(operationId = "get_dataset", summary = "Read a dataset")
    public Uni<DatasetResponse> get(@RestPath("dataset_id") UUID datasetId) {
        return datasets.get(caller.workspace(), datasetId);
    }

    @PATCH
    @Path("{dataset_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_dataset", summary = "Update a dataset; null members stay unchanged", description = "Name, description, baseline experiment and score directions. 409 if the name exists, 422 if the baseline is not an experiment of this dataset.")
    public Uni<DatasetResponse> update(@RestPath("dataset_id") UUID datasetId, UpdateDatasetRequest request) {
        return datasets.update(caller.workspace(), datasetId, request);
    }

    private static <T> RestResponse<List<T>> response(Page<T> page) {
        return RestResponse.ResponseBuilder.ok(page.items())
                .header(Page.TOTAL_HEADER, page.total())
                .build();
    }
}
