package dev.waybill.common.database;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.URI;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CancellingProxy;
import dev.waybill.common.testing.TestDatabase;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/** The end of a transaction that is cancelled leaves it open and aborted. The pool has one connection. */
class CancelledCommitTest {

    private static final String CANCELLED = "57014";

    private CancellingProxy proxy;
    private ReactiveDatabase reactive;
    private Database database;

    @BeforeEach
    void connect() throws IOException {
        proxy = new CancellingProxy(URI.create(TestDatabase.get().reactiveUrl()).getPort());
        reactive = ReactiveDatabase.through(proxy.port());
        database = reactive.database();
    }

    @AfterEach
    void close() throws IOException {
        reactive.close();
        proxy.close();
    }

    @Test
    void cancelledCommitDoesNotFailTheNextTransaction() {
        // Given
        proxy.cancelNext("COMMIT");

        // When
        assertThatExceptionOfType(PgException.class).isThrownBy(() -> select("1"))
                .satisfies(failure -> assertThat(failure.getSqlState()).isEqualTo(CANCELLED));

        // Then
        assertThat(proxy.hasCancelled()).isTrue();
        assertThat(select("2")).isEqualTo(2);
    }

    @Test
    void cancelledRollbackDoesNotFailTheNextTransaction() {
        // Given
        proxy.cancelNext("ROLLBACK");

        // When
        assertThatIllegalStateException().isThrownBy(() -> await(database.outsideWorkspaces(
                connection -> select(connection, "1").invoke(() -> {
                    throw new IllegalStateException("failed");
                })))).withMessage("failed");

        // Then
        assertThat(proxy.hasCancelled()).isTrue();
        assertThat(select("2")).isEqualTo(2);
    }

    private Integer select(String value) {
        return await(database.outsideWorkspaces(connection -> select(connection, value)));
    }

    private static Uni<Integer> select(SqlConnection connection, String value) {
        return connection.query("SELECT " + value).execute().map(rows -> rows.iterator().next().getInteger(0));
    }
}
