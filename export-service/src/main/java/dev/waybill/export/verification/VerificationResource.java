package dev.waybill.export.verification;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.VerificationResponse;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Serves the verifications of exports. Members may create them, as they may create exports. */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports")
class VerificationResource {

    private final VerificationService verifications;
    private final BulkExportAccess access;

    VerificationResource(VerificationService verifications, BulkExportAccess access) {
        this.verifications = verifications;
        this.access = access;
    }

    @POST
    @Path("/{export_id}/verify")
    @Idempotent
    @Operation(operationId = "verify_bulk_export", summary = "Verify that an export is in its bucket as written", description = "Returns immediately; poll the verification until its status is Completed. Reads every file once, compares sizes, SHA-256 and rows with the export and its manifest, and searches the export's folder for other objects. An intact export gets a signed receipt. While a verification of the export is unfinished, that one is returned. 409 unless the export is Completed. 429 while the workspace has the maximum number of unfinished verifications.")
    public Uni<VerificationResponse> create(@PathParam("export_id") UUID exportId) {
        return verifications.create(access.workspace(), exportId);
    }

    @GET
    @Path("/{export_id}/verifications")
    @Operation(operationId = "list_bulk_export_verifications", summary = "List the verifications of an export", description = "Newest first. At most 100 are returned; the total is in X-Pagination-Total.")
    public Uni<RestResponse<List<VerificationResponse>>> list(@PathParam("export_id") UUID exportId,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        return verifications
                .list(access.workspace(), exportId, PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT))
                .map(VerificationResource::toListResponse);
    }

    @GET
    @Path("/{export_id}/verifications/{verification_id}")
    @Operation(operationId = "get_bulk_export_verification", summary = "Read a verification of an export")
    public Uni<VerificationResponse> get(@PathParam("export_id") UUID exportId, @PathParam("verification_id") UUID id) {
        return verifications.get(access.workspace(), exportId, id);
    }

    private static RestResponse<List<VerificationResponse>> toListResponse(Page<VerificationResponse> verifications) {
        return RestResponse.ResponseBuilder.ok(verifications.items())
                .header(Page.TOTAL_HEADER, verifications.total())
                .build();
    }
}
