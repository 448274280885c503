package dev.waybill.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.Patience;
import io.quarkus.test.junit.QuarkusTest;

/** The metrics of docs/operations/metrics.md "Metrics" that alerts use. */
@QuarkusTest
class MetricsTest {

    @Test
    void metricsOfAlertsAreExported() {
        // Given
        Account admin = Accounts.account().create();
        ApiClient.as(admin).get("/v1/whoami");

        // When, then: a request is counted after its response was sent
        Patience.await().untilAsserted(() -> assertIsWhatAlertsAsk(Management.get("/q/metrics")));
    }

    private static void assertIsWhatAlertsAsk(String metrics) {
        assertThat(metrics).contains("jvm_memory_used_bytes{area=\"heap\"", "jvm_memory_max_bytes{area=\"heap\"",
                "\nprocess_cpu_usage ", "waybill_rollout_longest_step_seconds ", "waybill_rollout_revisions_unknown ",
                "waybill_rollout_revisions_in_progress ");
        assertThat(metrics.lines().filter(line -> line.startsWith("http_server_requests_seconds_count{"))
                .filter(line -> line.contains("uri=\"/v1/whoami\""))).anyMatch(line -> line.contains("status=\"200\""));
    }
}
