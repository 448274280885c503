package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.waybill.local.stack.ServiceKind;

/** Tests that the packaged services export all metrics that alerts and dashboards use. */
class MonitoringIT {

    private static final Path MONITORING = RunningStack.root().resolve("k8s/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(?:waybill|http|jvm|process)_[a-z_]+");
    private static final Pattern EXPORTED = Pattern.compile("(?m)^[a-z_]+(?=[{ ])");
    /** Registered on first use. */
    private static final Set<String> LATER = Set.of("waybill_leases_lost_total", "waybill_rollout_steps_seconds_count");

    private final RunningStack running = RunningStack.get();

    @Test
    void exportsEveryMetricOfAlertsAndDashboards() throws IOException {
        Set<String> used = new TreeSet<>(names(METRIC, read("alerts.yml") + read("dashboard.json")));
        // Tests of deployment-runtime check its metrics; the lake is off here.
        used.removeIf(name -> name.startsWith("waybill_runtime_") || name.startsWith("waybill_lake_") || LATER.contains(name));

        assertThat(used).hasSizeGreaterThan(25);
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(exported()).containsAll(used));
    }

    private Set<String> exported() {
        try (Http http = new Http()) {
            // The counter of requests exists after the first request outside /q.
            http.send("GET", running.address(ServiceKind.CONTROL_PLANE).resolve("/v1/whoami"), null, null);
            return ServiceKind.apis().stream()
                    .map(kind -> http
                            .send("GET", running.stack.service(kind).managementAddress().resolve("/q/metrics"), null, null)
                            .body())
                    .flatMap(text -> names(EXPORTED, text).stream())
                    .collect(Collectors.toSet());
        }
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    private static String read(String file) throws IOException {
        return Files.readString(MONITORING.resolve(file));
    }
}
