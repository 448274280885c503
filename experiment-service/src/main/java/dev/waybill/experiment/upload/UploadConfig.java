package dev.waybill.experiment.upload;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much uploads may ask of a replica. */
@ConfigMapping(prefix = "waybill.upload")
public interface UploadConfig {

    /** How many uploads are looked through and written at once, each with a database connection; further ones wait. */
    @WithDefault("4")
    int atOnce();

    /** The most bytes of one row, which is in memory while it is written. */
    @WithDefault("16M")
    MemorySize maxRowSize();
}
