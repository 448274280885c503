package dev.waybill.controlplane.source;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which repositories may be deployed from. */
@ConfigMapping(prefix = "waybill.source")
public interface SourceConfig {

    /** Whether repositories on this machine ({@code file://}) are allowed. For laptops and tests only. */
    @WithDefault("false")
    boolean allowFile();

    /** How long looking a reference up, or fetching a commit, may take altogether. */
    @WithDefault("5m")
    Duration timeout();

    /** How long a host may be silent meanwhile. */
    @WithDefault("20s")
    Duration silence();

    /** How much a host may send for one commit. */
    @WithDefault("512M")
    MemorySize received();

    /** How many files, folders and links a commit may have. */
    @WithDefault("50000")
    int files();

    /** How large one of its files may be; git may need several times as much memory. */
    @WithDefault("32M")
    MemorySize fileSize();

    /** How large all of its files together may be. */
    @WithDefault("1G")
    MemorySize checkoutSize();

    /** How many commits are fetched at once; further ones wait. */
    @WithDefault("4")
    int concurrentFetches();

    /** How many of them may be of one workspace. */
    @WithDefault("2")
    int concurrentFetchesPerWorkspace();
}
