package dev.waybill.common.database;

import java.util.function.Function;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/**
 * Executes work in transactions of connections of a pool. The client's own method returns a connection within its transaction
 * if COMMIT or ROLLBACK was cancelled, for example by a statement timeout: the next user of the connection would get 25P02.
 */
public final class Transactions {

    /** Each of them could be cancelled. */
    private static final int ROLLBACKS = 10;

    private Transactions() {
    }

    /** Executes work in a transaction, which has ended when the result is available. */
    public static <T> Uni<T> execute(SqlConnection connection, Function<SqlConnection, Uni<T>> work) {
        return connection.begin()
                .chain(transaction -> Uni.createFrom().deferred(() -> work.apply(connection))
                        .onFailure().call(() -> transaction.rollback()
                                .onFailure().recoverWithUni(() -> leave(connection)))
                        .chain(result -> transaction.commit()
                                .onFailure(PgException.class).call(() -> leave(connection))
                                .replaceWith(result)));
    }

    /** Rolls back the transaction of the connection, if there is one; does not fail. */
    public static Uni<Void> leave(SqlConnection connection) {
        return connection.query("ROLLBACK")
                .execute()
                .onFailure(PgException.class).retry().atMost(ROLLBACKS)
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }
}
