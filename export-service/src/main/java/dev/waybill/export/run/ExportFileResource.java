package dev.waybill.export.run;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.ExportedFileResponse;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Serves the list of an export's files. */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports")
class ExportFileResource {

    private final ExportFileService files;
    private final BulkExportAccess access;

    ExportFileResource(ExportFileService files, BulkExportAccess access) {
        this.files = files;
        this.access = access;
    }

    @GET
    @Path("/{export_id}/files")
    @Operation(operationId = "list_bulk_export_files", summary = "List the files of an export", description = "The files of completed runs with rows, bytes and SHA-256, in the order of the manifest; for a scheduled export, those of all exports that it created, the earliest range first. At most 100 are returned; the total is in X-Pagination-Total.")
    public Uni<RestResponse<List<ExportedFileResponse>>> list(@PathParam("export_id") UUID exportId,
            @Parameter(description = "Returns only the files of this run.") @QueryParam("run_id") @Nullable UUID runId,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "run_id", "limit", "offset");
        return files
                .list(access.workspace(), exportId, runId, PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT))
                .map(ExportFileResource::toListResponse);
    }

    private static RestResponse<List<ExportedFileResponse>> toListResponse(Page<ExportedFileResponse> files) {
        return RestResponse.ResponseBuilder.ok(files.items())
                .header(Page.TOTAL_HEADER, files.total())
                .build();
    }
}
