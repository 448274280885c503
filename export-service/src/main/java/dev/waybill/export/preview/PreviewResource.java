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
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Serves previews of exports. A preview creates nothing, so it accepts no Idempotency-Key. */
@Path("/api/v1/bulk-exports/preview")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@AuditLogOnly
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
    @Operation(operationId = "preview_bulk_export", summary = "Preview an export", description = """
            Accepts the body of an export and returns the same errors, but creates nothing. Responds within seconds for any range:
            counts rows exactly up to a limit and estimates the rest; estimates bytes from sampled runs, written like the export.
            For a scheduled export, previews the first window. A second concurrent preview of a workspace is a 429.""")
    public Uni<BulkExportPreviewResponse> preview(CreateBulkExportRequest request) {
        return previews.preview(access.workspace(), request);
    }
}
