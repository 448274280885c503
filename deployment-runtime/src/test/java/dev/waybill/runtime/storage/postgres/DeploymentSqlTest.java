package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.StorageException;
import io.smallrye.mutiny.Uni;

class DeploymentSqlTest {

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
    void failureOfTheCallIsNotChanged() {
        IllegalStateException failure = new IllegalStateException("rejected");

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> DeploymentSql.limited(Uni.createFrom().failure(failure), Duration.ofMinutes(1)).await()
                        .indefinitely())
                .isSameAs(failure);
    }
}
