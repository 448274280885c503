package dev.waybill.experiment.query;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits on queries for runs. */
@ConfigMapping(prefix = "waybill.query")
interface RunQueryConfig {

    /** Statement timeout of PostgreSQL; queries other than searches of sessions respond with 422 beyond it. */
    @WithDefault("10s")
    Duration statementTimeout();

    /** Time after which a page of runs ends with the runs found so far, and its cursor continues the search. */
    @WithDefault("3s")
    Duration pageTimeout();
}
