package dev.waybill.client;

import java.util.List;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BackfillRequest;
import dev.waybill.common.api.export.BulkExportPreviewResponse;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.export.CreateDestinationRequest;
import dev.waybill.common.api.export.DestinationResponse;
import dev.waybill.common.api.export.DestinationTestResponse;
import dev.waybill.common.api.export.ExportedFileResponse;
import dev.waybill.common.api.export.ReceiptKeyResponse;
import dev.waybill.common.api.export.ScheduleWindowResponse;
import dev.waybill.common.api.export.SnippetsResponse;
import dev.waybill.common.api.export.UpdateBulkExportRequest;
import dev.waybill.common.api.export.UpdateDestinationRequest;
import dev.waybill.common.api.export.VerificationResponse;

/** The export service: destinations and exports. */
@Path("/api/v1/bulk-exports")
@Produces("application/json")
public interface ExportClient {

    /** Lists exports, newest first. Parameters that are null do not restrict the list. */
    @GET
    List<BulkExportResponse> listBulkExports(@QueryParam("status") @Nullable String status,
            @QueryParam("paused") @Nullable Boolean paused, @QueryParam("window") @Nullable Boolean window,
            @QueryParam("session_id") @Nullable UUID sessionId, @QueryParam("destination_id") @Nullable UUID destinationId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset);

    /** Creates an export. */
    @POST
    BulkExportResponse createBulkExport(CreateBulkExportRequest request);

    /** Lists destinations. */
    @GET
    @Path("/destinations")
    List<DestinationResponse> listBulkExportDestinations(@QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset);

    /** Creates a destination. */
    @POST
    @Path("/destinations")
    DestinationResponse createBulkExportDestination(CreateDestinationRequest request);

    /** Replaces the credentials. */
    @PATCH
    @Path("/destinations/{id}")
    DestinationResponse updateBulkExportDestination(@PathParam("id") UUID id, UpdateDestinationRequest request);

    /** Gets a destination. */
    @GET
    @Path("/destinations/{id}")
    DestinationResponse getBulkExportDestination(@PathParam("id") UUID id);

    /** Deletes a destination. */
    @DELETE
    @Path("/destinations/{id}")
    void deleteBulkExportDestination(@PathParam("id") UUID id);

    /** Tests a destination. */
    @POST
    @Path("/destinations/{id}/test")
    DestinationTestResponse testBulkExportDestination(@PathParam("id") UUID id);

    /** Previews an export. */
    @POST
    @Path("/preview")
    BulkExportPreviewResponse previewBulkExport(CreateBulkExportRequest request);

    /** Lists the runs of all exports that a scheduled export created. */
    @GET
    @Path("/runs")
    List<BulkExportRunResponse> listSpawnedBulkExportRuns(@QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset, @QueryParam("source_bulk_export_id") UUID sourceBulkExportId);

    /** Reads an export. */
    @GET
    @Path("/{export_id}")
    BulkExportResponse getBulkExport(@PathParam("export_id") UUID exportId);

    /** Cancels an export. */
    @PATCH
    @Path("/{export_id}")
    BulkExportResponse cancelBulkExport(@PathParam("export_id") UUID exportId, UpdateBulkExportRequest request);

    /** Exports a range with the settings of a scheduled export. */
    @POST
    @Path("/{export_id}/backfill")
    BulkExportResponse backfillBulkExport(@PathParam("export_id") UUID exportId, BackfillRequest request);

    /** Lists the files of an export. */
    @GET
    @Path("/{export_id}/files")
    List<ExportedFileResponse> listBulkExportFiles(@PathParam("export_id") UUID exportId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset,
            @QueryParam("run_id") @Nullable UUID runId);

    /** Lists the runs of an export. */
    @GET
    @Path("/{export_id}/runs")
    List<BulkExportRunResponse> listBulkExportRuns(@PathParam("export_id") UUID exportId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset);

    /** Reads one run of an export. */
    @GET
    @Path("/{export_id}/runs/{run_id}")
    BulkExportRunResponse getBulkExportRun(@PathParam("export_id") UUID exportId, @PathParam("run_id") UUID runId);

    /** Gets snippets that read this export with DuckDB, Spark, Athena, BigQuery, Snowflake, ClickHouse and Polars. */
    @GET
    @Path("/{export_id}/snippets")
    SnippetsResponse getBulkExportSnippets(@PathParam("export_id") UUID exportId);

    /** Lists the windows of a scheduled export. */
    @GET
    @Path("/{export_id}/windows")
    List<ScheduleWindowResponse> listBulkExportWindows(@PathParam("export_id") UUID exportId,
            @QueryParam("end_time") @Nullable String endTime, @QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset, @QueryParam("start_time") @Nullable String startTime,
            @QueryParam("status") @Nullable List<String> status);

    /** Verifies that an export is in its bucket as written. */
    @POST
    @Path("/{export_id}/verify")
    VerificationResponse verifyBulkExport(@PathParam("export_id") UUID exportId);

    /** Lists the verifications of an export. */
    @GET
    @Path("/{export_id}/verifications")
    List<VerificationResponse> listBulkExportVerifications(@PathParam("export_id") UUID exportId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset);

    /** Reads a verification of an export. */
    @GET
    @Path("/{export_id}/verifications/{verification_id}")
    VerificationResponse getBulkExportVerification(@PathParam("export_id") UUID exportId,
            @PathParam("verification_id") UUID verificationId);

    /** Lists the public keys that verify a workspace's receipts. */
    @GET
    @Path("/receipt-keys/{tenant_id}")
    List<ReceiptKeyResponse> listReceiptKeys(@PathParam("tenant_id") UUID tenantId);
}
