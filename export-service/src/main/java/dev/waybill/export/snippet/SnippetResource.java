package dev.waybill.export.snippet;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.export.SnippetsResponse;
import dev.waybill.common.security.Role;
import dev.waybill.export.destination.BulkExportAccess;
import dev.waybill.export.destination.RequiresBulkExport;
import io.smallrye.mutiny.Uni;

/** Serves the snippets of exports. */
@Path("/api/v1/bulk-exports")
@Produces(MediaType.APPLICATION_JSON)
@RequiresBulkExport
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Bulk exports")
class SnippetResource {

    private final SnippetService snippets;
    private final BulkExportAccess access;

    SnippetResource(SnippetService snippets, BulkExportAccess access) {
        this.snippets = snippets;
        this.access = access;
    }

    @GET
    @Path("/{export_id}/snippets")
    @Operation(operationId = "get_bulk_export_snippets", summary = "Get snippets that read this export with DuckDB, Spark, Athena, BigQuery, Snowflake, ClickHouse and Polars", description = "Generates snippets for this export's bucket, keys, columns and types. For a scheduled export, they read its completed exports with rows, at most the newest 10,000. Empty if no files exist.")
    public Uni<SnippetsResponse> get(@PathParam("export_id") UUID exportId) {
        return snippets.get(access.workspace(), exportId);
    }
}
