package dev.waybill.experiment.query;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much questions for runs may ask of a replica. */
@ConfigMapping(prefix = "waybill.query")
interface RunQueryConfig {

    /** How long PostgreSQL may work at one page. */
    @WithDefault("10s")
    Duration timeLimit();

    /** How many pages are read at once, each with a database connection; further ones wait. */
    @WithDefault("8")
    int atOnce();

    /** A page ends when its runs have so many bytes, though there are more; it has one run at least. */
    @WithDefault("4M")
    MemorySize maxPageSize();
}
