package dev.waybill.export.run;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What one workspace's exports may take (contract.md "Bulk export"). What is over a limit of running work waits. */
@ConfigMapping(prefix = "waybill.export.limits")
public interface ExportLimits {

    /** How many exports of a workspace run at once. */
    @WithDefault("15")
    int runningExports();

    /** How many exports of a workspace may wait, run or be scheduled; ordering one more is a 429. */
    @WithDefault("1000")
    int unfinishedExports();

    /** How many runs of an export are worked on at once, by all replicas together. */
    @WithDefault("45")
    int runningRuns();

    /** How many days before the present a schedule may begin. */
    @WithDefault("3700")
    int days();

    /** How many runs one export may have: UTC days between the first and the last run that it exports. */
    @WithDefault("50000")
    int runs();

    /** How often a run is tried. */
    @WithDefault("20")
    int attempts();

    /** How long a run may take with all its attempts. */
    @WithDefault("4h")
    Duration runTime();

    /** How long an export may take once it runs. */
    @WithDefault("24h")
    Duration exportTime();
}
