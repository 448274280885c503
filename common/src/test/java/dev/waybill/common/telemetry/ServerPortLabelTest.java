package dev.waybill.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class ServerPortLabelTest {

    @Test
    void serversOnRandomAndFixedPortsHaveTheSameLabels() {
        // Given
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(new ServerPortLabel().serverPort());

        // When
        DistributionSummary fixed = registry.summary("http.server.bytes.read", "server.port", "8080");
        DistributionSummary any = registry.summary("http.server.bytes.read");
        DistributionSummary other = registry.summary("waybill.rows");

        // Then
        assertThat(any.getId().getTags()).extracting(Tag::getKey)
                .isEqualTo(fixed.getId().getTags().stream().map(Tag::getKey).toList());
        assertThat(fixed.getId().getTag("server.port")).isEqualTo("8080");
        assertThat(other.getId().getTags()).isEmpty();
    }
}
