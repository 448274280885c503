package dev.waybill.export.run;

import java.util.List;

import jakarta.inject.Singleton;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;

/**
 * Has every statement of the service kept prepared by its connections. The client leaves out long ones by itself, and the
 * longest is the claim of a run ({@link RunQueue}), which costs PostgreSQL more to plan than to run.
 */
@Singleton
class StatementCache implements PgPoolCreator {

    private static final int LONGEST_STATEMENT = 8192;

    @Override
    public Pool create(Input input) {
        input.pgConnectOptionsList().forEach(options -> options.setPreparedStatementCacheSqlLimit(LONGEST_STATEMENT));
        return PgBuilder.pool()
                .with(input.poolOptions())
                .connectingTo(List.<SqlConnectOptions> copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .build();
    }
}
