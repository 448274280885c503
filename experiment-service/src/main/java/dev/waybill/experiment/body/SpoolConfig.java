package dev.waybill.experiment.body;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How large an upload may be and how much disk uploads may take together. */
@ConfigMapping(prefix = "waybill.upload")
public interface SpoolConfig {

    /** The most bytes of one upload, as it is sent and once it is unpacked. */
    @WithDefault("100M")
    MemorySize maxBodySize();

    /** The most bytes of all uploads that lie on disk at once; beyond it 429 is answered. */
    @WithDefault("1G")
    MemorySize disk();
}
