package dev.waybill.export.destination;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.CreateDestinationRequest;
import dev.waybill.common.api.export.DestinationResponse;
import dev.waybill.common.api.export.DestinationTestResponse;
import dev.waybill.common.api.export.UpdateDestinationRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.Role;
import io.smallrye.mutiny.Uni;

/** Serves the destinations of exports (interface.md 2.3 and 4.2, contract.md "Bulk export"). */
@Path("/api/v1/bulk-exports/destinations")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@Tag(name = "Bulk export destinations", description = "Buckets that exports write to. Requires the plan plus or enterprise.")
class DestinationResource {

    private final DestinationService destinations;
    private final BulkExportAccess access;

    DestinationResource(DestinationService destinations, BulkExportAccess access) {
        this.destinations = destinations;
        this.access = access;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Role.ADMINS)
    @Operation(operationId = "create_bulk_export_destination", summary = "Create a destination", description = """
            Validates the bucket and the credentials by writing a test object under `tmp/`, which is deleted afterwards if the
            credentials allow it. A rejected destination is a 400 titled `Access denied`, `Bucket is not valid`, `Key ID you
            provided does not exist` or `Invalid endpoint`, with the failed step in `step`. Requires the role admin.""")
    public Uni<DestinationResponse> create(CreateDestinationRequest request) {
        return destinations.create(access.workspace(), request);
    }

    @GET
    @RolesAllowed(Role.MEMBERS)
    @Operation(operationId = "list_bulk_export_destinations", summary = "List destinations", description = "Newest first; the complete list unless limit or offset is given. X-Pagination-Total is the total number.")
    public Uni<RestResponse<List<DestinationResponse>>> list(
            @Parameter(description = "Maximum number of items; all by default.", schema = @Schema(type = SchemaType.INTEGER, minimum = "1")) @QueryParam("limit") @Nullable String limit,
            @Parameter(description = "Number of items to skip.") @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        PageParameters page = PageParameters.parse(limit, offset, Integer.MAX_VALUE, Integer.MAX_VALUE);
        return destinations.list(access.workspace(), page)
                .map(DestinationResource::response);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed(Role.MEMBERS)
    @Operation(operationId = "get_bulk_export_destination", summary = "Get a destination", description = "Returns the destination without its credentials; `credentials_keys` lists the names of the stored ones.")
    public Uni<DestinationResponse> get(@PathParam("id") UUID id) {
        return destinations.get(access.workspace(), id);
    }

    @PATCH
    @Path("/{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Role.ADMINS)
    @Operation(operationId = "update_bulk_export_destination", summary = "Replace the credentials", description = "Validates the new credentials as at creation, then stores them. Runs in progress continue with the old ones. Requires the role admin.")
    public Uni<DestinationResponse> update(@PathParam("id") UUID id, UpdateDestinationRequest request) {
        return destinations.update(access.workspace(), id, request);
    }

    @POST
    @Path("/{id}/test")
    @RolesAllowed(Role.ADMINS)
    @Operation(operationId = "test_bulk_export_destination", summary = "Test a destination", description = """
            Validates the stored destination as at creation, and returns the optional permissions of its credentials; later exports
            use them. A rejected destination is the same 400 as at creation; 409 means that the stored credentials cannot be
            decrypted. Requires the role admin.""")
    public Uni<DestinationTestResponse> test(@PathParam("id") UUID id) {
        return destinations.test(access.workspace(), id);
    }

    @DELETE
    @Path("/{id}")
    @RolesAllowed(Role.ADMINS)
    @ResponseStatus(204)
    @Operation(operationId = "delete_bulk_export_destination", summary = "Delete a destination", description = "Deletes the stored credentials; exported files remain. 409 while an unfinished export uses the destination. Requires the role admin.")
    public Uni<Void> delete(@PathParam("id") UUID id) {
        return destinations.delete(access.workspace(), id);
    }

    private static RestResponse<List<DestinationResponse>> response(Page<DestinationResponse> found) {
        return RestResponse.ResponseBuilder.ok(found.items())
                .header(Page.TOTAL_HEADER, found.total())
                .build();
    }
}
