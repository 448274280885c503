package dev.waybill.soak.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.storage.FreePort;
import dev.waybill.soak.load.WorkloadRunner;

/**
 * Two replicas of every service on one database and bucket, all workloads concurrently, and random restarts of replicas for a
 * minute. {@code -Dwaybill.chaos.seconds} changes the duration, {@code -Dwaybill.chaos.seed} repeats the restarts.
 */
@Tag("full")
@Tag("long")
class ReplicasIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(15);

    private final Path root = Path.of(System.getProperty("waybill.root"));
    private final HomeDirectory home = new HomeDirectory(Path.of("target", "replicas"));
    private final Duration duration = Duration.ofSeconds(Long.getLong("waybill.chaos.seconds", 60));
    private final long seed = Long.getLong("waybill.chaos.seed", System.nanoTime() % 1_000_000);

    @TempDir
    private Path folder;

    @Test
    void acknowledgedWritesSurviveRestartsOfReplicas() {
        System.out.println("chaos: seed " + seed + ", " + duration + ", logs in " + home.directory().resolve("logs"));
        List<URI> addresses;
        try (ReplicatedStack replicated = ReplicatedStack.start(root, home, root)) {
            addReplicas(replicated);
            addresses = replicated.pools().stream().flatMap(pool -> pool.replicas().stream()).map(replica -> replica.at("/"))
                    .toList();
            try (WorkloadRunner load = new WorkloadRunner(replicated, folder)) {
                // Given
                load.start();

                // When
                int restarts = Chaos.run(replicated.pools(), duration, seed, System.out);
                load.stop();

                // Then
                System.out.println(
                        "chaos: " + restarts + " restarts, " + load.failedRequests().size() + " failed requests, steps "
                                + load.steps());
                assertThat(load.failures()).as("seed %d", seed).isEmpty();
                load.steps().forEach((workload, steps) -> assertThat(steps).as(workload).isPositive());
                await().atMost(TIMEOUT).untilAsserted(() -> assertThat(load.differences()).as("seed %d", seed).isEmpty());
                String traces = load.exportTraces(replicated);
                await().atMost(TIMEOUT).untilAsserted(() -> assertThat(load.differencesIn(traces)).isEmpty());
                load.deleteDeployments();
                await().atMost(TIMEOUT).untilAsserted(() -> assertThat(load.remainingResources()).isEmpty());
                assertThat(load.failures()).as("seed %d", seed).isEmpty();
            }
        }
        assertThat(addresses).allMatch(address -> FreePort.isFree(address.getPort()));
        home.delete();
    }

    private void addReplicas(ReplicatedStack replicated) {
        for (ServiceKind kind : ServiceKind.apis()) {
            replicated.add(kind, root);
        }
        replicated.addRuntime(root);
    }
}
