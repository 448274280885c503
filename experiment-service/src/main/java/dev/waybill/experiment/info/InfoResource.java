package dev.waybill.experiment.info;

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
import dev.waybill.experiment.body.BodyLimits;
import dev.waybill.experiment.intake.IntakeConfig;
import dev.waybill.experiment.otlp.OtlpConfig;
import io.smallrye.mutiny.Uni;

/** What tracing clients ask before they send (contract.md "Trace intake"). */
@Path("/api/v1/info")
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
@Tag(name = "Runs")
class InfoResource {

    // Clients warn below the release whose operations they call; this one has all that are served here.
    private static final String COMPATIBLE_RELEASE = "0.18.0";
    private static final int RUNS_IN_A_BATCH = 100;
    private static final int QUEUE_TO_SCALE_UP = 1000;
    private static final int MOST_THREADS = 16;
    private static final int EMPTY_LOOKS_TO_SCALE_DOWN = 4;

    private final InfoResponse info;

    InfoResource(BodyLimits bodies, IntakeConfig intake, OtlpConfig spans,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.info = new InfoResponse(COMPATIBLE_RELEASE, version,
                new InfoResponse.BatchIngest(true, RUNS_IN_A_BATCH, bodies.sentBytes(), QUEUE_TO_SCALE_UP,
                        MOST_THREADS, EMPTY_LOOKS_TO_SCALE_DOWN),
                Map.of("gzip_body_enabled", true, "zstd_compression_enabled", true, "dataset_examples_multipart_enabled",
                        true),
                new InfoResponse.IntakeLimits(bodies.requests(), bodies.requestsOfOne(), bodies.bytes(), bodies.bytesOfOne(),
                        bodies.unpackedBytes(), intake.maxAttachmentSize().asLongValue(), RunSize.MAX_BYTES,
                        spans.maxSpans(),
                        bodies.pause().toSeconds()));
    }

    @GET
    @SecurityRequirementsSet
    @Operation(operationId = "get_info", summary = "Say what the service takes; needs no key")
    public Uni<InfoResponse> get() {
        return Uni.createFrom().item(info);
    }
}
