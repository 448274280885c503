package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.local.ProcessLauncher.PidNamespace;

class PidNamespaceTest {

    @Test
    void interruptedProbeIsNotCached() throws InterruptedException {
        // Given
        PidNamespace processes = new PidNamespace(System.getenv());

        // When: the first build is cancelled during the probe
        Thread.currentThread().interrupt();
        Throwable broken = catchThrowable(processes::isSupported);
        boolean interrupted = Thread.interrupted();

        // Then
        assertThat(broken == null || broken instanceof InterruptedException).isTrue();
        assertThat(interrupted).isEqualTo(broken == null);
        assertThat(processes.isSupported()).isEqualTo(new PidNamespace(System.getenv()).isSupported());
    }
}
