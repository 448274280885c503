package dev.waybill.common.api.trace;

import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What the service can do, so that tracing clients choose how to send (contract.md "Trace intake").
 *
 * @param version the release of the public API that clients compare with what they need
 * @param waybillVersion the service's own version
 * @param batchIngestConfig how large a batch may be and where it goes
 * @param instanceFlags what the service understands beyond the basics
 * @param intakeLimits what it takes at once
 */
public record InfoResponse(
        @Schema(examples = "0.18.0", description = "The release of the public API that clients compare with what they need.") String version,
        @Schema(examples = "0.1.0", description = "The version of Waybill.") String waybillVersion,
        BatchIngest batchIngestConfig,
        @Schema(examples = "{\"gzip_body_enabled\": true, \"zstd_compression_enabled\": true}") Map<String, Boolean> instanceFlags,
        IntakeLimits intakeLimits) {

    /**
     * What the service takes at once, each replica by itself; more is answered 429 with {@code Retry-After} before it is read.
     *
     * @param requests requests with bodies that are under way
     * @param workspaceRequests of these, what one workspace may have
     * @param memoryBytes bytes of all bodies under way, as sent and unpacked
     * @param workspaceMemoryBytes of these, what one workspace may have; its only request may take more
     * @param unpackedBytes bytes of one body once it is unpacked
     * @param attachmentBytes bytes of one attachment
     * @param runBytes bytes of the texts of one run, with its changes
     * @param spans spans in one OTLP request
     * @param retryAfterSeconds the pause that is asked for
     */
    public record IntakeLimits(
            @Schema(description = "Requests with bodies that are under way at once.", examples = "256") int requests,
            @Schema(description = "Of these, what one workspace may have.", examples = "192") int workspaceRequests,
            @Schema(description = "Bytes of all bodies under way.", examples = "100663296") long memoryBytes,
            @Schema(description = "Of these, what one workspace may have with more than one request.", examples = "75497472") long workspaceMemoryBytes,
            @Schema(description = "Bytes of one body once it is unpacked.", examples = "67108864") long unpackedBytes,
            @Schema(description = "Bytes of one attachment.", examples = "20971520") long attachmentBytes,
            @Schema(description = "Bytes of the texts of one run, with its changes.", examples = "20971520") long runBytes,
            @Schema(description = "Spans in one OTLP request.", examples = "10000") int spans,
            @Schema(description = "The pause that a 429 asks for.", examples = "1") long retryAfterSeconds) {
    }

    /**
     * How clients should batch.
     *
     * @param useMultipartEndpoint whether runs go to {@code /runs/multipart} rather than {@code /runs/batch}
     * @param sizeLimit runs in one batch
     * @param sizeLimitBytes bytes of one batch as sent
     * @param scaleUpQsizeTrigger runs waiting in a client before it sends with a further thread
     * @param scaleUpNthreadsLimit threads a client sends with at most
     * @param scaleDownNemptyTrigger empty looks into the queue before a thread ends
     */
    public record BatchIngest(boolean useMultipartEndpoint,
            @Schema(description = "Runs in one batch.", examples = "100") int sizeLimit,
            @Schema(description = "Bytes of one batch as it is sent.", examples = "20971520") long sizeLimitBytes,
            int scaleUpQsizeTrigger,
            int scaleUpNthreadsLimit, int scaleDownNemptyTrigger) {
    }
}
