package dev.waybill.runtime.tracing;

import java.net.URI;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Trace store of the runtime. Without a URL, runs are not traced. */
@ConfigMapping(prefix = "waybill.runtime.tracing")
public interface TracingConfig {

    /** Base URL of the trace store, for example {@code http://127.0.0.1:8082}; also {@code WAYBILL_TRACING_URL}. */
    Optional<URI> url();

    /** API key of the workspace that receives the traces; also {@code WAYBILL_TRACING_KEY}. */
    Optional<String> key();

    /** Id of the workspace, for an organization-wide key. */
    Optional<String> workspaceId();

    /** Session of the runs; default: the name of the application's directory. */
    Optional<String> project();

    /** Maximum memory of traces that were not sent yet; further ones are dropped. */
    @WithDefault("16M")
    MemorySize maxQueueSize();

    /** Maximum size of a run's inputs, outputs and steps in its trace, each; larger ones are omitted. */
    @WithDefault("1M")
    MemorySize maxTraceSize();
}
