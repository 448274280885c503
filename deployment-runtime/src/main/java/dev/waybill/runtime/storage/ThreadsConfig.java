package dev.waybill.runtime.storage;

import java.nio.file.Path;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Storage of threads. */
@ConfigMapping(prefix = "waybill.runtime.threads")
public interface ThreadsConfig {

    /** Technology of the storage; {@code none}: nothing is stored, and no file is opened. */
    @WithDefault("none")
    Technology storage();

    /** Directory of the file, relative to the application's directory. One runtime at a time can use it. */
    @WithDefault(".waybill")
    Path directory();

    /** Technologies of the storage. */
    enum Technology {
        /** No storage. */
        NONE,
        /** The file. */
        AUTO,
        /** One SQLite file, for one runtime. */
        FILE
    }
}
