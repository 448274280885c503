package dev.waybill.common.telemetry;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where spans are sent; without {@link #endpoint} none are made. */
@ConfigMapping(prefix = "waybill.telemetry")
public interface TelemetryConfig {

    /** The collector's address for OTLP over HTTP, for example {@code http://collector:4318}; {@code /v1/traces} is added. */
    Optional<URI> endpoint();

    /** Headers that the collector wants, for example {@code authorization}; secret. */
    Map<String, String> headers();

    /** Which share of the traces that begin here is recorded; others are as who began them decided. */
    @WithDefault("1")
    double sampleRatio();

    /** How many spans may wait to be sent; more are dropped and counted. */
    @WithDefault("2048")
    int queue();

    /** How long a span waits for others to be sent with. */
    @WithDefault("1s")
    Duration every();

    /** How long the collector may take to answer. */
    @WithDefault("10s")
    Duration timeout();
}
