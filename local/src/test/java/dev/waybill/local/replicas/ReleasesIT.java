package dev.waybill.local.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.soak.load.WorkloadRunner;
import dev.waybill.local.soak.replicas.ReplicaPool;
import dev.waybill.local.soak.replicas.ReplicatedStack;
import dev.waybill.local.soak.replicas.ServiceReplica;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;

/**
 * The commit before and this one side by side on one database, forward and back, under all flows at once (docs/operations.md
 * "Upgrade and rollback"). {@code -Dwaybill.previous} names another commit or tag.
 */
class ReleasesIT {

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final List<ServiceKind> ORDER = List.of(ServiceKind.CONTROL_PLANE, ServiceKind.EXPERIMENT,
            ServiceKind.EXPORT);
    private static final int ENOUGH = 2;

    private final Path root = Path.of(System.getProperty("waybill.root"));
    private final HomeDirectory home = new HomeDirectory(Path.of("target", "releases"));

    @TempDir
    private Path folder;

    @Test
    void replicasAreReplacedByThoseOfAnotherReleaseForwardAndBackAndNobodyNotices() {
        Path previous = PreviousRelease.build(root, System.getProperty("waybill.previous", "HEAD~1"));
        try (ReplicatedStack replicated = ReplicatedStack.start(root, home, previous);
                WorkloadRunner load = new WorkloadRunner(replicated, folder)) {
            // Given
            List<ServiceReplica> old = replicated.pools().stream().map(ReplicaPool::replicas).flatMap(List::stream).toList();
            load.start();
            awaitMore(load);

            // When
            List<ServiceReplica> upgraded = begin(replicated, root);
            awaitMore(load);
            old.forEach(replicated::retire);
            awaitMore(load);
            begin(replicated, previous);
            awaitMore(load);
            upgraded.forEach(replicated::retire);
            awaitMore(load);
            load.stop();

            // Then
            System.out.println("releases: steps " + load.steps());
            assertThat(load.failures()).isEmpty();
            assertThat(load.failedRequests()).isEmpty();
            await().atMost(LIMIT).untilAsserted(() -> assertThat(load.differences()).isEmpty());
            String traces = load.exportTraces(replicated);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(load.differencesIn(traces)).isEmpty());
            load.deleteDeployments();
            await().atMost(LIMIT).untilAsserted(() -> assertThat(load.remainingResources()).isEmpty());
            assertThat(load.failures()).isEmpty();
        }
        home.delete();
    }

    /** One of each beside those that serve: when this returns, both do. */
    private static List<ServiceReplica> begin(ReplicatedStack replicated, Path release) {
        List<ServiceReplica> begun = new ArrayList<>();
        ORDER.forEach(kind -> begun.add(replicated.add(kind, release)));
        begun.add(replicated.addRuntime(release));
        return begun;
    }

    /** Until every flow was answered some more. */
    private static void awaitMore(WorkloadRunner load) {
        Map<String, Integer> before = load.steps();
        await().atMost(LIMIT).untilAsserted(() -> {
            assertThat(load.failures()).isEmpty();
            load.steps().forEach((flow, steps) -> assertThat(steps).as(flow)
                    .isGreaterThanOrEqualTo(before.getOrDefault(flow, 0) + ENOUGH));
        });
    }
}
