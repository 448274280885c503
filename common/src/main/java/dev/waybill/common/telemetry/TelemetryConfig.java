package dev.waybill.common.telemetry;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configuration of tracing; without {@link #endpoint} no spans are recorded. */
@ConfigMapping(prefix = "waybill.telemetry")
public interface TelemetryConfig {

    /**
     * Base URL of the collector for OTLP over HTTP, for example {@code http://collector:4318}; {@code /v1/traces} is appended.
     */
    Optional<URI> endpoint();

    /** Headers for the collector, for example {@code authorization}; secret. */
    Map<String, String> headers();

    /** Fraction of the traces started by this service that is recorded; for other traces the caller decides. */
    @WithDefault("1")
    double sampleRatio();
}
