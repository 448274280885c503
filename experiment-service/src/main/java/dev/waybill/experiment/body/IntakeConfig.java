package dev.waybill.experiment.body;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of batches of runs and of other requests whose bodies are held in memory. */
@ConfigMapping(prefix = "waybill.intake")
public interface IntakeConfig {

    /** Maximum number of spans in one OTLP request; returned by {@code GET /info}. */
    int MAX_SPANS = 10_000;

    /** Maximum size of one request body as sent and of one attachment, in bytes; returned by {@code GET /info}. */
    @WithDefault("20M")
    MemorySize maxBodySize();

    /** Maximum size of one request body after decompression, in bytes. */
    @WithDefault("64M")
    MemorySize maxDecompressedSize();

    /** Maximum memory of all request bodies together, in bytes; requests beyond it are rejected with 429. */
    @WithDefault("96M")
    MemorySize maxMemory();

    /** Maximum number of concurrent requests with bodies, from their first byte until they are stored. */
    @WithDefault("256")
    int maxConcurrentRequests();

    /** Maximum share of {@link #maxMemory} and {@link #maxConcurrentRequests} for one workspace. */
    @WithDefault("0.75")
    double maxWorkspaceShare();
}
