package dev.waybill.export.run;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of bulk exports (contract.md "Bulk export"). Exports and runs above a limit on concurrency wait. */
@ConfigMapping(prefix = "waybill.export.limits")
public interface ExportLimitsConfig {

    /** Maximum number of exports of a workspace that run concurrently. */
    @WithDefault("15")
    int runningExports();

    /** Maximum number of exports of a workspace that wait, run or are scheduled; creating another one is rejected with 429. */
    @WithDefault("1000")
    int unfinishedExports();

    /** Maximum number of runs of an export that all replicas together write concurrently. */
    @WithDefault("45")
    int runningRuns();

    /** Maximum number of attempts of a run. */
    @WithDefault("20")
    int maxAttempts();

    /** Maximum duration of a run, including all its attempts. */
    @WithDefault("4h")
    Duration runTimeout();

    /** Maximum duration of an export after its start. */
    @WithDefault("24h")
    Duration exportTimeout();
}
