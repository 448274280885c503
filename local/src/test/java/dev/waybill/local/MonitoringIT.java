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
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.local.stack.ServiceKind;

/** What alerts and panels ask for is what packaged services export, from their start on. */
class MonitoringIT {

    private static final Path MONITORING = RunningStack.root().resolve("k8s/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(?:waybill|http|jvm|process)_[a-z_]+");
    private static final Pattern EXPORTED = Pattern.compile("(?m)^[a-z_]+(?=[{ ])");
    /** There once a lease was taken. */
    private static final Set<String> LATER = Set.of("waybill_leases_lost_total", "waybill_rollout_steps_seconds_count");

    private final RunningStack running = RunningStack.get();

    @Test
    void everyMetricThatIsAskedForIsExported() throws IOException {
        Set<String> asked = new TreeSet<>(names(METRIC, read("alerts.yml") + read("dashboard.json")));
        // Those of deployed applications are looked at in deployment-runtime.
        asked.removeIf(name -> name.startsWith("waybill_runtime_") || LATER.contains(name));

        assertThat(asked).hasSizeGreaterThan(25);
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(exported()).containsAll(asked));
    }

    private Set<String> exported() {
        try (Http http = new Http()) {
            // Requests are told of once there has been one; those of /q are not counted.
            http.send("GET", running.address(ServiceKind.CONTROL_PLANE).resolve("/v1/whoami"), null, null);
            return Stream.of(ServiceKind.values())
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
