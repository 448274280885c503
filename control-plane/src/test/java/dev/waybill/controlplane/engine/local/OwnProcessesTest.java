package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;

class OwnProcessesTest {

    @Test
    void whoIsInterruptedLearnsNothingOfTheMachine() throws InterruptedException {
        // Given
        OwnProcesses processes = new OwnProcesses(System.getenv());

        // When: the first build is cancelled just now
        Thread.currentThread().interrupt();
        Throwable broken = catchThrowable(processes::arePossible);
        boolean interrupted = Thread.interrupted();

        // Then
        assertThat(broken == null || broken instanceof InterruptedException).isTrue();
        assertThat(interrupted).isEqualTo(broken == null);
        assertThat(processes.arePossible()).isEqualTo(new OwnProcesses(System.getenv()).arePossible());
    }
}
