package dev.waybill.common.api.trace;

import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What the service can do, so that tracing clients choose how to send (contract.md "Trace intake").
 *
 * @param version the service's version
 * @param batchIngestConfig how large a batch may be and where it goes
 * @param instanceFlags what the service understands beyond the basics
 */
public record InfoResponse(
        @Schema(examples = "0.1.0") String version,
        BatchIngest batchIngestConfig,
        @Schema(examples = "{\"gzip_body_enabled\": true, \"zstd_compression_enabled\": true}") Map<String, Boolean> instanceFlags) {

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
