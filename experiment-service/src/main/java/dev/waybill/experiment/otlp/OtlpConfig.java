package dev.waybill.experiment.otlp;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What OpenTelemetry's exporters may send. */
@ConfigMapping(prefix = "waybill.otlp")
public interface OtlpConfig {

    /** The most spans of one request. */
    @WithDefault("10000")
    int maxSpans();

    /** The most attributes, elements of their values, events and links of one request. */
    @WithDefault("500000")
    int maxValues();

    /** The most runs that one request moves below a span that had not come before. */
    @WithDefault("10000")
    int maxMoved();

    /** How long more spans of a trace are put where they belong in it; later ones stand directly below its root. */
    @WithDefault("7d")
    Duration keepStructure();
}
