package dev.waybill.common.database;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import org.jboss.logging.Logger;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.pgclient.PgConnection;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Cancels the queries of a transaction in PostgreSQL when no client waits for their result any more. */
final class QueryCancellation {

    private static final Logger LOG = Logger.getLogger(QueryCancellation.class);

    // A cancel request uses another connection and can arrive after the query has ended. This statement waits for it, so that
    // it cannot cancel the next transaction of the connection; it fails at once if the query was cancelled before.
    private static final String AWAIT_CANCEL_REQUEST = "SELECT pg_sleep(10)";

    private final CompletableFuture<Void> requested = new CompletableFuture<>();

    /** Cancels the current query and prevents further ones. */
    void cancel() {
        requested.complete(null);
    }

    /** Runs queries; fails after {@link #cancel}, so that the transaction is rolled back. */
    <T> Uni<T> run(SqlConnection connection, Uni<T> queries) {
        return requested.isDone() ? Uni.createFrom().failure(new CancellationException())
                : Uni.combine().any().of(queries, this.<T> failure())
                        .onFailure(CancellationException.class).call(() -> cancelCurrent(connection));
    }

    // The copy protects the future, which a retried transaction uses again, from being cancelled.
    private <T> Uni<T> failure() {
        return Uni.createFrom().completionStage(requested::copy)
                .onItem().transformToUni(ignored -> Uni.createFrom().failure(new CancellationException()));
    }

    // Sent first, so that the connection is not idle when the request arrives; PostgreSQL would ignore it then.
    private static Uni<Void> cancelCurrent(SqlConnection connection) {
        Uni<Void> awaited = connection.query(AWAIT_CANCEL_REQUEST)
                .execute()
                .replaceWithVoid()
                .onFailure().recoverWithNull();
        Uni<Void> sent = PgConnection.cast(connection)
                .cancelRequest()
                .onFailure().invoke(failure -> LOG.warnf("an abandoned query could not be cancelled error=%s", failure))
                .onFailure().recoverWithNull();
        return Uni.combine().all().unis(awaited, sent).discardItems();
    }
}
