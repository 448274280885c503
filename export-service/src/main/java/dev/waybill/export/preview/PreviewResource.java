package dev.waybill.export.preview;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.export.BulkExportPreviewResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** The dry run of an export. It creates nothing, so it takes no Idempotency-Key. */
@Path("/api/v1/bulk-exports/preview")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports")
class PreviewResource {

    private final PreviewService previews;
    private final BulkExportAccess access;

    PreviewResource(PreviewService previews, BulkExportAccess access) {
        this.previews = previews;
        this.access = access;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "preview_bulk_export", summary = "See what an export would bring", description = """
            Takes the body of an export and is refused where the export would be, but makes nothing. Answers within seconds for any
            range: rows are counted exactly as far as that is quick, else estimated; bytes are estimated from the first runs, written
            as the export would write them. Of a scheduled export it shows the first window. One preview of a workspace at a time,
            else 429.""")
    public Uni<BulkExportPreviewResponse> preview(CreateBulkExportRequest request) {
        return previews.preview(access.workspace(), request);
    }
}
