package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;

import org.junit.jupiter.api.Test;

@RuntimeTest
class QuietHealthTest {

    @Test
    void thatAnApplicationIsNotReadyYetIsAnsweredAndNotLogged() {
        // When: the control plane shows users the last lines, and asks often until it is ready
        Logger health = Logger.getLogger("io.smallrye.health");

        // Then
        assertThat(health.isLoggable(Level.INFO)).isFalse();
        assertThat(health.isLoggable(Level.WARNING)).isTrue();
    }
}
