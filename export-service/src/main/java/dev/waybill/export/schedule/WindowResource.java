package dev.waybill.export.schedule;

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

import dev.waybill.common.api.export.ScheduleWindowResponse;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Serves the windows of scheduled exports. */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports")
class WindowResource {

    private final WindowService windows;
    private final BulkExportAccess access;

    WindowResource(WindowService windows, BulkExportAccess access) {
        this.windows = windows;
        this.access = access;
    }

    @GET
    @Path("/{export_id}/windows")
    @Operation(operationId = "list_bulk_export_windows", summary = "List the windows of a scheduled export", description = "Newest first: the windows with an export, and those of a schedule that is not cancelled up to the current time, with the newest error and since when attempts have failed. Empty for an export without a schedule. At most 100 are returned; the total is in X-Pagination-Total.")
    public Uni<RestResponse<List<ScheduleWindowResponse>>> list(@PathParam("export_id") UUID exportId,
            @Parameter(description = "Pending, Created, Running, Completed, Failed, TimedOut or Cancelled; may be repeated.") @QueryParam("status") List<String> statuses,
            @Parameter(description = "Returns windows that end after this time.") @QueryParam("start_time") @Nullable String startTime,
            @Parameter(description = "Returns windows that start before this time.") @QueryParam("end_time") @Nullable String endTime,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "status", "start_time", "end_time", "limit", "offset");
        return windows.list(access.workspace(), exportId, WindowFilter.parse(statuses, startTime, endTime, limit, offset))
                .map(WindowResource::toListResponse);
    }

    private static RestResponse<List<ScheduleWindowResponse>> toListResponse(Page<ScheduleWindowResponse> windows) {
        return RestResponse.ResponseBuilder.ok(windows.items())
                .header(Page.TOTAL_HEADER, windows.total())
                .build();
    }
}
