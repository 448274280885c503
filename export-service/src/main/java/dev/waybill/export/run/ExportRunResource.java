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

import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** The runs of an export (contract.md "Bulk export"). */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports")
class ExportRunResource {

    private final ExportRunService runs;
    private final BulkExportAccess access;

    ExportRunResource(ExportRunService runs, BulkExportAccess access) {
        this.runs = runs;
        this.access = access;
    }

    @GET
    @Path("/{export_id}/runs")
    @Operation(operationId = "list_bulk_export_runs", summary = "List the runs of an export", description = "One run for each UTC day of the range. Returns all runs unless limit or offset is given; the total is in X-Pagination-Total.")
    public Uni<RestResponse<List<BulkExportRunResponse>>> list(@PathParam("export_id") UUID exportId,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        return runs
                .list(access.workspace(), exportId, PageParameters.parse(limit, offset, Integer.MAX_VALUE, Integer.MAX_VALUE))
                .map(ExportRunResource::toListResponse);
    }

    @GET
    @Path("/{export_id}/runs/{run_id}")
    @Operation(operationId = "get_bulk_export_run", summary = "Read one run of an export")
    public Uni<BulkExportRunResponse> get(@PathParam("export_id") UUID exportId, @PathParam("run_id") UUID runId) {
        return runs.get(access.workspace(), exportId, runId);
    }

    @GET
    @Path("/runs")
    @Operation(operationId = "list_spawned_bulk_export_runs", summary = "List the runs of all exports that a scheduled export created")
    public Uni<RestResponse<List<BulkExportRunResponse>>> listSpawned(
            @Parameter(required = true, description = "Id of the scheduled export.") @QueryParam("source_bulk_export_id") @Nullable String sourceId,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "source_bulk_export_id", "limit", "offset");
        return runs.listSpawned(access.workspace(), requireId(sourceId),
                PageParameters.parse(limit, offset, Integer.MAX_VALUE, Integer.MAX_VALUE))
                .map(ExportRunResource::toListResponse);
    }

    private static UUID requireId(@Nullable String text) {
        if (text == null || text.isBlank()) {
            throw ProblemException.invalid(Violation.of("source_bulk_export_id", "is required", "missing"));
        }
        try {
            return UUID.fromString(text.strip());
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid(Violation.of("source_bulk_export_id", "must be a UUID", "type"));
        }
    }

    private static RestResponse<List<BulkExportRunResponse>> toListResponse(Page<BulkExportRunResponse> runs) {
        return RestResponse.ResponseBuilder.ok(runs.items())
                .header(Page.TOTAL_HEADER, runs.total())
                .build();
    }
}
