package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

class AssistantWorkersTest {

    @Test
    void workerThatDoesNotStartIsUnavailable() {
        Uni<String> worker = Uni.createFrom().failure(() -> new ProblemException(CommonProblem.UNAVAILABLE, "not yet"));

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(
                        () -> AssistantWorkers.afterStart(worker, Duration.ofMillis(200)).await().atMost(Duration.ofMinutes(1)))
                .satisfies(problem -> assertThat(problem.type()).isEqualTo(CommonProblem.UNAVAILABLE));
    }

    @Test
    void workerThatStartsLateIsUsed() {
        AtomicInteger attempts = new AtomicInteger();
        Uni<String> worker = Uni.createFrom().item(() -> {
            if (attempts.incrementAndGet() < 3) {
                throw new ProblemException(CommonProblem.UNAVAILABLE, "not yet");
            }
            return "ready";
        });

        assertThat(AssistantWorkers.afterStart(worker, Duration.ofSeconds(30)).await().atMost(Duration.ofMinutes(1)))
                .isEqualTo("ready");
    }
}
