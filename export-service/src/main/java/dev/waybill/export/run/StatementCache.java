package dev.waybill.export.run;

import java.util.List;

import jakarta.inject.Singleton;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;

/**
 * Enables prepared statement caching for long statements. By default the client does not cache them, but the longest, the
 * claim of a run ({@link ExportRunQueue}), takes PostgreSQL longer to plan than to execute.
 */
@Singleton
class StatementCache implements PgPoolCreator {

    private static final int MAX_CACHED_STATEMENT_LENGTH = 8192;

    @Override
    public Pool create(Input input) {
        input.pgConnectOptionsList().forEach(options -> options.setPreparedStatementCacheSqlLimit(MAX_CACHED_STATEMENT_LENGTH));
        return PgBuilder.pool()
                .with(input.poolOptions())
                .connectingTo(List.<SqlConnectOptions> copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .build();
    }
}
