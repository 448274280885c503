package dev.waybill.soak.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.soak.load.WorkloadRunner;

/**
 * Rolling upgrade from the previous commit and rollback to it on one database, under all workloads (docs/operations/database.md
 * "Upgrade and rollback"). {@code -Dwaybill.previous} selects another commit or tag.
 */
@Tag("full")
@Tag("long")
class ReleasesIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final List<ServiceKind> ORDER = List.of(ServiceKind.CONTROL_PLANE, ServiceKind.EXPERIMENT,
            ServiceKind.EXPORT);
    private static final int MIN_STEPS = 2;

    private final Path root = Path.of(System.getProperty("waybill.root"));
    private final HomeDirectory home = new HomeDirectory(Path.of("target", "releases"));

    @TempDir
    private Path folder;

    @Test
    void rollingUpgradeAndRollbackFailNoRequest() {
        Path previous = PreviousRelease.build(root, System.getProperty("waybill.previous", "HEAD~1"));
        try (ReplicatedStack replicated = ReplicatedStack.start(root, home, previous);
                WorkloadRunner load = new WorkloadRunner(replicated, folder)) {
            // Given
            List<ServiceReplica> old = replicated.pools().stream().map(ReplicaPool::replicas).flatMap(List::stream).toList();
            load.start();
            awaitMore(load);

            // When
            List<ServiceReplica> upgraded = addReplicas(replicated, root);
            awaitMore(load);
            old.forEach(replicated::retire);
            awaitMore(load);
            addReplicas(replicated, previous);
            awaitMore(load);
            upgraded.forEach(replicated::retire);
            awaitMore(load);
            load.stop();

            // Then
            System.out.println("releases: steps " + load.steps());
            assertThat(load.failures()).isEmpty();
            assertThat(load.failedRequests()).isEmpty();
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(load.differences()).isEmpty());
            String traces = load.exportTraces(replicated);
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(load.differencesIn(traces)).isEmpty());
            load.deleteDeployments();
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(load.remainingResources()).isEmpty());
            assertThat(load.failures()).isEmpty();
        }
        home.delete();
    }

    /** Adds a ready replica of each service. */
    private static List<ServiceReplica> addReplicas(ReplicatedStack replicated, Path release) {
        List<ServiceReplica> added = new ArrayList<>();
        ORDER.forEach(kind -> added.add(replicated.add(kind, release)));
        added.add(replicated.addRuntime(release));
        return added;
    }

    /** Waits until every workload has completed further steps. */
    private static void awaitMore(WorkloadRunner load) {
        Map<String, Integer> before = load.steps();
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(load.failures()).isEmpty();
            load.steps().forEach((workload, steps) -> assertThat(steps).as(workload)
                    .isGreaterThanOrEqualTo(before.getOrDefault(workload, 0) + MIN_STEPS));
        });
    }
}
