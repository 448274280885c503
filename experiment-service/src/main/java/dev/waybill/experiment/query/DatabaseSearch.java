package dev.waybill.experiment.query;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

import dev.waybill.common.database.Database;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunSearch.Piece;
import dev.waybill.experiment.query.RunSearch.RunPage;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Searches runs in PostgreSQL for {@link RunSearch}, with a timeout. */
final class DatabaseSearch {

    private final Database database;
    private final RunQueryRepository runs;

    DatabaseSearch(Database database, RunQueryRepository runs) {
        this.database = database;
        this.runs = runs;
    }

    /** Returns the page of a query. */
    Uni<RunPage> page(UUID tenantId, RunQuery query, Duration timeout) {
        return read(tenantId, timeout, connection -> runs.find(connection, tenantId, query, RunQueryService.MAX_PAGE_BYTES)
                .map(found -> RunPage.of(found.runs(), found.hasMore())));
    }

    /** Searches the next {@code rows} runs of the sessions, at most until the last key of the query. */
    Uni<Piece> piece(UUID tenantId, RunQuery query, int rows, long maxBytes, Duration timeout) {
        return read(tenantId, timeout, connection -> runs.keyAt(connection, tenantId, query, rows)
                .map(last -> last.or(query::last))
                .chain(last -> runs
                        .find(connection, tenantId, query.between(query.after(), last, query.limit()), maxBytes)
                        .map(found -> new Piece(last, found))));
    }

    // A transaction for each piece: PostgreSQL and its client end a transaction whose statement exceeds the timeout.
    private <T> Uni<T> read(UUID tenantId, Duration timeout, Function<SqlConnection, Uni<T>> statements) {
        return database.inWorkspaceSnapshot(tenantId,
                connection -> runs.prepareTransaction(connection, timeout).chain(() -> statements.apply(connection)));
    }
}
