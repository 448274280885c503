package dev.waybill.experiment.body;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How large bodies may be and how much memory they may take together. */
@ConfigMapping(prefix = "waybill.intake")
public interface BodyConfig {

    /** The most bytes of one body as it is sent; announced in {@code GET /info}. */
    @WithDefault("20M")
    MemorySize maxBodySize();

    /** The most bytes of one body once it is unpacked. */
    @WithDefault("64M")
    MemorySize maxUnpackedSize();

    /** The most bytes of all bodies in memory at once; beyond it 429 is answered. */
    @WithDefault("96M")
    MemorySize memory();

    /** How many requests with bodies are under way at once, from their first byte until they are stored. */
    @WithDefault("256")
    int requests();

    /** What one workspace may take of {@link #memory} and {@link #requests}. */
    @WithDefault("0.75")
    double share();
}
