package dev.waybill.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

import org.junit.jupiter.api.Test;

class PortsTest {

    @Test
    void variablesOverrideEveryPort() {
        // When
        Ports ports = Ports.from(Map.ofEntries(Map.entry("WAYBILL_CONTROL_PLANE_PORT", "1001"),
                Map.entry("WAYBILL_EXPORT_PORT", "1002"), Map.entry("WAYBILL_EXPERIMENT_PORT", "1003"),
                Map.entry("WAYBILL_CONSOLE_PORT", "1007"), Map.entry("WAYBILL_CONTROL_PLANE_MANAGEMENT_PORT", "2001"),
                Map.entry("WAYBILL_EXPORT_MANAGEMENT_PORT", "2002"), Map.entry("WAYBILL_EXPERIMENT_MANAGEMENT_PORT", "2003"),
                Map.entry("WAYBILL_CONSOLE_MANAGEMENT_PORT", "2007"), Map.entry("WAYBILL_DEPLOYMENT_PORT", "1006"),
                Map.entry("WAYBILL_S3_PORT", "1004"), Map.entry("WAYBILL_POSTGRES_PORT", " 1005 ")));

        // Then
        assertThat(ports.services()).containsOnly(Map.entry(ServiceKind.CONTROL_PLANE, 1001),
                Map.entry(ServiceKind.EXPORT, 1002),
                Map.entry(ServiceKind.EXPERIMENT, 1003), Map.entry(ServiceKind.CONSOLE, 1007));
        assertThat(ports.management()).containsOnly(Map.entry(ServiceKind.CONTROL_PLANE, 2001),
                Map.entry(ServiceKind.EXPORT, 2002),
                Map.entry(ServiceKind.EXPERIMENT, 2003), Map.entry(ServiceKind.CONSOLE, 2007));
        assertThat(ports.deployments()).isEqualTo(1006);
        assertThat(ports.s3()).isEqualTo(1004);
        assertThat(ports.postgres()).isEqualTo(1005);
    }

    @Test
    void portsDefaultToKnownOnes() {
        // When
        Ports ports = Ports.from(Map.of());

        // Then
        assertThat(ports).isEqualTo(new Ports(Map.of(ServiceKind.CONTROL_PLANE, 8080, ServiceKind.EXPORT, 8081,
                ServiceKind.EXPERIMENT, 8082, ServiceKind.CONSOLE, 8083),
                Map.of(ServiceKind.CONTROL_PLANE, 9080, ServiceKind.EXPORT, 9081, ServiceKind.EXPERIMENT, 9082,
                        ServiceKind.CONSOLE, 9083),
                8100, 8090, 8091));
    }

    @Test
    void portInUseIsReportedWithItsVariable() throws IOException {
        // Given
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ports free = Ports.free();
            Ports ports = new Ports(free.services(), free.management(), free.deployments(), other.getLocalPort(),
                    free.postgres());

            // When, Then
            assertThatThrownBy(() -> ports.requireFree(ServiceKind.apis()))
                    .hasMessage(
                            "Port %d (S3) is in use: stop the process that listens on it, or set WAYBILL_S3_PORT to a free port.",
                            other.getLocalPort());
        }
    }

    @Test
    void invalidPortIsReported() {
        // When, Then
        assertThatThrownBy(() -> Ports.from(Map.of("WAYBILL_S3_PORT", "70000")))
                .hasMessage("WAYBILL_S3_PORT is not a port: 70000");
    }
}
