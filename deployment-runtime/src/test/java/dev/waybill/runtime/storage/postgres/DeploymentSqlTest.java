package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.runtime.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

class DeploymentSqlTest {

    private static final PgException NO_CONNECTION = new PgException("too many connections for role", "FATAL", "53300", null);

    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final Uni<Void> hanging = Uni.createFrom().<Void> nothing().onCancellation().invoke(() -> cancelled.set(true));

    @Test
    void serverThatDoesNotRespondFailsTheCall() {
        Uni<Void> call = DeploymentSql.limited(hanging, Duration.ofMillis(10));

        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> call.await().atMost(Duration.ofSeconds(30)))
                .matches(DeploymentSql::isUncertain);
        assertThat(cancelled).isFalse();
    }

    @Test
    void subscriberThatLeavesDoesNotCancelTheCall() {
        DeploymentSql.limited(hanging, Duration.ofMinutes(1)).subscribe().with(ignored -> {
        }).cancel();

        assertThat(cancelled).isFalse();
    }

    @Test
    void callThatGetsNoConnectionIsRepeated() {
        AtomicInteger attempts = new AtomicInteger();
        Uni<Integer> call = Uni.createFrom().deferred(() -> attempts.incrementAndGet() < 3
                ? Uni.createFrom().failure(NO_CONNECTION)
                : Uni.createFrom().item(attempts.get()));

        assertThat(DeploymentSql.storageCall(call).await().atMost(Duration.ofMinutes(1))).isEqualTo(3);
    }

    @Test
    void errorNamesTheLimitOfConnections() {
        Uni<Void> call = DeploymentSql.storageCall(Uni.createFrom().failure(NO_CONNECTION));

        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> call.await().atMost(Duration.ofMinutes(1)))
                .withMessageContaining("accepts no further connection").withCause(NO_CONNECTION)
                .matches(failure -> !DeploymentSql.isUncertain(failure) && !DeploymentSql.isRejected(failure));
    }

    @ParameterizedTest
    @CsvSource({ "22021, true", "23514, true", "54000, true", "25006, false", "55P03, false", "58030, false", "XX000, false",
            "53100, false", "57014, false" })
    void onlyInvalidValuesMakeARepetitionUseless(String state, boolean isInvalid) {
        Throwable failure = DeploymentSql.translate(new PgException("failed", "ERROR", state, null));

        assertThat(DeploymentSql.isInvalid(failure)).isEqualTo(isInvalid);
    }

    @Test
    void failureOfTheCallIsNotChanged() {
        IllegalStateException failure = new IllegalStateException("rejected");

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> DeploymentSql.limited(Uni.createFrom().failure(failure), Duration.ofMinutes(1)).await()
                        .indefinitely())
                .isSameAs(failure);
    }
}
