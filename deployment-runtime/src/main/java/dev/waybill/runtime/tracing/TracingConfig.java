package dev.waybill.runtime.tracing;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where runs are traced to. Without an address they are not. */
@ConfigMapping(prefix = "waybill.runtime.tracing")
public interface TracingConfig {

    /** The trace store, for example {@code http://127.0.0.1:8082}; {@code WAYBILL_TRACING_URL} for short. */
    Optional<URI> url();

    /** The API key of the workspace that runs are traced to; {@code WAYBILL_TRACING_KEY} for short. */
    Optional<String> key();

    /** The workspace, for a key that belongs to a whole organization. */
    Optional<String> workspaceId();

    /** The session that runs are put in; without it the name of the application's directory. */
    Optional<String> project();

    /** How much memory traces may take until the store has them; what comes when it is full is dropped. */
    @WithDefault("16M")
    MemorySize queue();

    /** How much of one run's inputs, outputs and steps is kept, each; the rest is left out. */
    @WithDefault("1M")
    MemorySize traceSize();

    /** How long a trace may wait for others to be sent with. */
    @WithDefault("1s")
    Duration every();

    /** How long the store may take to answer. */
    @WithDefault("10s")
    Duration timeout();

    /**
     * How long a batch is tried again before it is dropped, so that one that the store cannot take does not stay in the way.
     */
    @WithDefault("10m")
    Duration keepTrying();

    /** How long the runtime sends what is left when it stops. */
    @WithDefault("5s")
    Duration flush();
}
