package dev.waybill.experiment.query;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits on queries for runs. */
@ConfigMapping(prefix = "waybill.query")
interface RunQueryConfig {

    /** Statement timeout of PostgreSQL for one page; a query that exceeds it responds with 422. */
    @WithDefault("10s")
    Duration statementTimeout();
}
