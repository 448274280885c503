package dev.waybill.common.api.trace;

import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Capabilities and limits of the service, from which tracing clients choose how to send.
 *
 * @param version release of the public API that clients compare with their requirements
 * @param waybillVersion version of the service
 * @param batchIngestConfig recommended batch sizes and endpoint
 * @param instanceFlags optional features of the service
 * @param intakeLimits limits for concurrent intake
 */
public record InfoResponse(
        @Schema(examples = "0.18.0", description = "Release of the public API that clients compare with their requirements.") String version,
        @Schema(examples = "0.1.0", description = "The version of Waybill.") String waybillVersion,
        BatchIngest batchIngestConfig,
        @Schema(examples = "{\"gzip_body_enabled\": true, \"zstd_compression_enabled\": true}") Map<String, Boolean> instanceFlags,
        IntakeLimits intakeLimits) {

    /**
     * Limits of one replica; requests beyond them are rejected with 429 and {@code Retry-After} before the body is read.
     *
     * @param requests maximum number of concurrent requests with bodies
     * @param workspaceRequests maximum of these for one workspace
     * @param memoryBytes maximum total size of all bodies in progress, compressed and decompressed
     * @param workspaceMemoryBytes maximum of these for one workspace with several requests; a single request may exceed it
     * @param unpackedBytes maximum size of one decompressed body
     * @param attachmentBytes maximum size of one attachment
     * @param runBytes maximum size of the texts of one run, including its updates
     * @param spans maximum number of spans in one OTLP request
     * @param retryAfterSeconds value of {@code Retry-After}
     */
    public record IntakeLimits(
            @Schema(description = "Maximum number of concurrent requests with bodies.", examples = "256") int requests,
            @Schema(description = "Maximum of these for one workspace.", examples = "192") int workspaceRequests,
            @Schema(description = "Maximum total size in bytes of all bodies in progress.", examples = "100663296") long memoryBytes,
            @Schema(description = "Maximum of these for one workspace with more than one request.", examples = "75497472") long workspaceMemoryBytes,
            @Schema(description = "Maximum size in bytes of one decompressed body.", examples = "67108864") long unpackedBytes,
            @Schema(description = "Maximum size in bytes of one attachment.", examples = "20971520") long attachmentBytes,
            @Schema(description = "Maximum size in bytes of the texts of one run, including its updates.", examples = "20971520") long runBytes,
            @Schema(description = "Maximum number of spans in one OTLP request.", examples = "10000") int spans,
            @Schema(description = "Value of Retry-After in seconds.", examples = "1") long retryAfterSeconds) {
    }

    /**
     * Recommended batching for clients.
     *
     * @param useMultipartEndpoint whether to send runs to {@code /runs/multipart} instead of {@code /runs/batch}
     * @param sizeLimit runs per batch
     * @param sizeLimitBytes bytes per batch as sent
     * @param scaleUpQsizeTrigger number of queued runs at which a client starts another thread
     * @param scaleUpNthreadsLimit maximum number of threads of a client
     * @param scaleDownNemptyTrigger number of empty polls after which a thread ends
     */
    public record BatchIngest(boolean useMultipartEndpoint,
            @Schema(description = "Runs per batch.", examples = "100") int sizeLimit,
            @Schema(description = "Bytes per batch as sent.", examples = "20971520") long sizeLimitBytes,
            int scaleUpQsizeTrigger,
            int scaleUpNthreadsLimit, int scaleDownNemptyTrigger) {
    }
}
