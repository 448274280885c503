package dev.waybill.common.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.vertx.core.http.HttpClosedException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;

class DatabaseOutageTest {

    static Stream<Throwable> outages() {
        return Stream.of(new ConnectException("Connection refused"), new UnknownHostException("database"),
                ClosedConnectionException.INSTANCE, pg("57P01"), pg("57P02"), pg("57P03"), pg("53300"), pg("25006"),
                pg("08006"),
                new SQLException("closed", "08003"),
                new IllegalStateException("Connection is not active now, current status: CLOSED"));
    }

    static Stream<Throwable> others() {
        return Stream.of(pg("23505"), pg("40001"), new SQLException("wrong", "42601"), new IllegalStateException("Pool"),
                new HttpClosedException("Connection was closed"), new NullPointerException());
    }

    @ParameterizedTest
    @MethodSource("outages")
    void recognizesOutagesBehindOtherFailures(Throwable outage) {
        assertThat(DatabaseOutage.reason(outage)).isPresent();
        assertThat(DatabaseOutage.reason(new CompletionException(new IllegalStateException(outage)))).isPresent();
    }

    @ParameterizedTest
    @MethodSource("others")
    void ignoresOtherFailures(Throwable failure) {
        assertThat(DatabaseOutage.reason(failure)).isEmpty();
    }

    @Test
    void stopsAtCyclesOfCauses() {
        Exception one = new Exception("one");
        one.initCause(new Exception("other", one));

        assertThat(DatabaseOutage.reason(one)).isEmpty();
    }

    private static PgException pg(String state) {
        return new PgException("message", "FATAL", state, "");
    }
}
