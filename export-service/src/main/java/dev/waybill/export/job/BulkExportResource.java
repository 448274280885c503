package dev.waybill.export.job;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BackfillRequest;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.export.UpdateBulkExportRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Bulk exports (interface.md 4.2). Members may order them: what they write to, only admins can set up. */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports", description = "Traces of a project and a time range, written to a bucket as Parquet files.")
class BulkExportResource {

    private final OrderService orders;
    private final BulkExportService exports;
    private final BulkExportAccess access;

    BulkExportResource(OrderService orders, BulkExportService exports, BulkExportAccess access) {
        this.orders = orders;
        this.exports = exports;
        this.access = access;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_bulk_export", summary = "Order an export", description = "Answers at once; poll it until status is Completed. The manifest beside the files is written last. With interval_hours it is a scheduled one, which makes an export of every window and stays IntervalScheduled until it is cancelled. 429 while too many exports of the workspace have not ended.")
    public Uni<BulkExportResponse> create(CreateBulkExportRequest request) {
        return orders.create(access.workspace(), request);
    }

    @GET
    @Operation(operationId = "list_bulk_exports", summary = "List exports", description = "Newest first. Whole unless limit or offset is given; the total is in X-Pagination-Total.")
    public Uni<RestResponse<List<BulkExportResponse>>> list(@QueryParam("limit") @Nullable String limit,
            @QueryParam("offset") @Nullable String offset) {
        return exports.list(access.workspace(), Page.parse(limit, offset, Integer.MAX_VALUE, Integer.MAX_VALUE))
                .map(BulkExportResource::answer);
    }

    @GET
    @Path("/{export_id}")
    @Operation(operationId = "get_bulk_export", summary = "Read an export")
    public Uni<BulkExportResponse> get(@PathParam("export_id") UUID id) {
        return exports.get(access.workspace(), id);
    }

    @PATCH
    @Path("/{export_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "cancel_bulk_export", summary = "Cancel an export", description = "It cannot be restarted. 409 when it has ended otherwise. A scheduled export makes no further ones; those it made go on.")
    public Uni<BulkExportResponse> cancel(@PathParam("export_id") UUID id, UpdateBulkExportRequest request) {
        return exports.cancel(access.workspace(), id);
    }

    @POST
    @Path("/{export_id}/backfill")
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "backfill_bulk_export", summary = "Export a range as a scheduled export does", description = "Answers the export that was made. The range need not be one of the schedule's windows. Also while the schedule is paused; 409 once it is cancelled, and for exports that are not scheduled.")
    public Uni<BulkExportResponse> backfill(@PathParam("export_id") UUID id, BackfillRequest request) {
        return exports.backfill(access.workspace(), id, request);
    }

    private static RestResponse<List<BulkExportResponse>> answer(Slice<BulkExportResponse> exports) {
        return RestResponse.ResponseBuilder.ok(exports.items())
                .header(Slice.TOTAL_HEADER, exports.total())
                .build();
    }
}
