package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;

import org.junit.jupiter.api.Test;

@RuntimeTest
class QuietHealthTest {

    @Test
    void unreadinessIsReportedButNotLogged() {
        // When: the control plane polls frequently until the application is ready, and shows users the last log lines
        Logger health = Logger.getLogger("io.smallrye.health");

        // Then
        assertThat(health.isLoggable(Level.INFO)).isFalse();
        assertThat(health.isLoggable(Level.WARNING)).isTrue();
    }
}
