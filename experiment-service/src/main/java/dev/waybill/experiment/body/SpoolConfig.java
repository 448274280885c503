package dev.waybill.experiment.body;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of uploads that are spooled to disk. */
@ConfigMapping(prefix = "waybill.upload")
public interface SpoolConfig {

    /** Maximum size of one upload, in bytes, as sent and after decompression. */
    @WithDefault("100M")
    MemorySize maxBodySize();

    /** Maximum disk space of all uploads together, in bytes; requests beyond it are rejected with 429. */
    @WithDefault("1G")
    MemorySize maxDisk();
}
