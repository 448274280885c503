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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BackfillRequest;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.export.UpdateBulkExportRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Bulk exports (interface.md 4.2). Members may create them; only admins may create destinations. */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports", description = "Traces of a project and a time range, written to a bucket as Parquet files.")
class BulkExportResource {

    private final BulkExportService exports;
    private final BulkExportAccess access;

    BulkExportResource(BulkExportService exports, BulkExportAccess access) {
        this.exports = exports;
        this.access = access;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_bulk_export", summary = "Create an export", description = "Returns immediately; poll the export until its status is Completed. The manifest is written after all files. With interval_hours the export is scheduled: it creates an export for every window and stays IntervalScheduled until it is cancelled. 429 while the workspace has the maximum number of unfinished exports.")
    public Uni<BulkExportResponse> create(CreateBulkExportRequest request) {
        return exports.create(access.workspace(), request);
    }

    @GET
    @Operation(operationId = "list_bulk_exports", summary = "List exports", description = "Newest first. Returns all matching exports unless limit or offset is given; their number is in X-Pagination-Total.")
    public Uni<RestResponse<List<BulkExportResponse>>> list(
            @Parameter(description = "Created, Running, Completed, Failed, TimedOut, Cancelled or IntervalScheduled.") @QueryParam("status") @Nullable String status,
            @Parameter(description = "true for paused schedules, false for all other exports.") @QueryParam("paused") @Nullable String paused,
            @Parameter(description = "true for the exports that schedules created for their windows, false for all other exports.") @QueryParam("window") @Nullable String window,
            @Parameter(description = "Id of the project.") @QueryParam("session_id") @Nullable String sessionId,
            @Parameter(description = "Id of the destination.") @QueryParam("destination_id") @Nullable String destinationId,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "status", "paused", "window", "session_id", "destination_id", "limit", "offset");
        return exports
                .list(access.workspace(), BulkExportFilter
                        .parse(new BulkExportFilter.Parameters(status, paused, window, sessionId, destinationId, limit,
                                offset)))
                .map(BulkExportResource::toListResponse);
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
    @Operation(operationId = "cancel_bulk_export", summary = "Cancel an export", description = "A cancelled export cannot be restarted. 409 when it has ended with another status. A cancelled scheduled export creates no further exports; those it has created continue.")
    public Uni<BulkExportResponse> cancel(@PathParam("export_id") UUID id, UpdateBulkExportRequest request) {
        return exports.cancel(access.workspace(), id);
    }

    @POST
    @Path("/{export_id}/backfill")
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "backfill_bulk_export", summary = "Export a range with the settings of a scheduled export", description = "Returns the created export. The range need not match the schedule's windows. Also allowed while the schedule is paused; 409 when it is cancelled or the export is not scheduled.")
    public Uni<BulkExportResponse> backfill(@PathParam("export_id") UUID id, BackfillRequest request) {
        return exports.backfill(access.workspace(), id, request);
    }

    private static RestResponse<List<BulkExportResponse>> toListResponse(Page<BulkExportResponse> exports) {
        return RestResponse.ResponseBuilder.ok(exports.items())
                .header(Page.TOTAL_HEADER, exports.total())
                .build();
    }
}
