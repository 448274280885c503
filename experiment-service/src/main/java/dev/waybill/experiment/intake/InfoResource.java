package dev.waybill.experiment.intake;

import java.util.Map;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirementsSet;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.trace.InfoResponse;
import dev.waybill.common.trace.RunSize;
import dev.waybill.experiment.body.AdmissionControl;
import dev.waybill.experiment.body.IntakeConfig;
import io.smallrye.mutiny.Uni;

/**
 * Returns the service's version, features and limits, which tracing clients read before they send runs (contract.md "Trace
 * intake").
 */
@Path("/api/v1/info")
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
@Tag(name = "Runs")
class InfoResource {

    // Clients warn if the version is older than the release whose operations they call; this release has all operations
    // that are served here.
    private static final String COMPATIBLE_RELEASE = "0.18.0";
    private static final int MAX_BATCH_RUNS = 100;
    private static final int SCALE_UP_QUEUE_SIZE = 1000;
    private static final int MAX_THREADS = 16;
    private static final int SCALE_DOWN_EMPTY_POLLS = 4;

    private final InfoResponse info;

    InfoResource(IntakeConfig config,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        AdmissionControl.Limits limits = AdmissionControl.Limits.of(config);
        this.info = new InfoResponse(COMPATIBLE_RELEASE, version,
                new InfoResponse.BatchIngest(true, MAX_BATCH_RUNS, config.maxBodySize().asLongValue(), SCALE_UP_QUEUE_SIZE,
                        MAX_THREADS, SCALE_DOWN_EMPTY_POLLS),
                Map.of("gzip_body_enabled", true, "zstd_compression_enabled", true, "dataset_examples_multipart_enabled",
                        true),
                new InfoResponse.IntakeLimits(limits.maxRequests(), limits.maxRequestsPerWorkspace(),
                        limits.maxBytes(), limits.maxBytesPerWorkspace(),
                        config.maxDecompressedSize().asLongValue(), config.maxBodySize().asLongValue(), RunSize.MAX_BYTES,
                        IntakeConfig.MAX_SPANS,
                        AdmissionControl.RETRY_AFTER.toSeconds()));
    }

    @GET
    @SecurityRequirementsSet
    @Operation(operationId = "get_info", summary = "Return the service's version and limits; needs no key")
    public Uni<InfoResponse> get() {
        return Uni.createFrom().item(info);
    }
}
