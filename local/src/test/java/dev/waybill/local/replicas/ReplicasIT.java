package dev.waybill.local.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.soak.load.WorkloadRunner;
import dev.waybill.local.soak.replicas.Chaos;
import dev.waybill.local.soak.replicas.ReplicatedStack;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.storage.FreePort;

/**
 * Two replicas of every service on one database and bucket, all flows at once, replicas killed and started at random for two
 * minutes. {@code -Dwaybill.chaos.seconds} makes it longer or shorter, {@code -Dwaybill.chaos.seed} repeats what was planned.
 */
class ReplicasIT {

    private static final Duration LIMIT = Duration.ofMinutes(15);

    private final Path root = Path.of(System.getProperty("waybill.root"));
    private final HomeDirectory home = new HomeDirectory(Path.of("target", "replicas"));
    private final Duration duration = Duration.ofSeconds(Long.getLong("waybill.chaos.seconds", 120));
    private final long seed = Long.getLong("waybill.chaos.seed", System.nanoTime() % 1_000_000);

    @TempDir
    private Path folder;

    @Test
    void whatWasAcceptedIsThereOnceWhoeverDiesAndOnlyTheDyingFail() {
        System.out.println("chaos: seed " + seed + ", " + duration + ", logs in " + home.directory().resolve("logs"));
        List<URI> addresses;
        try (ReplicatedStack replicated = ReplicatedStack.start(root, home, root)) {
            addTheOthers(replicated);
            addresses = replicated.pools().stream().flatMap(one -> one.replicas().stream()).map(one -> one.at("/")).toList();
            try (WorkloadRunner load = new WorkloadRunner(replicated, folder)) {
                // Given
                load.start();

                // When
                int restarts = Chaos.run(replicated.pools(), duration, seed, System.out);
                load.stop();

                // Then
                System.out.println(
                        "chaos: " + restarts + " deaths, " + load.failedRequests().size() + " requests lost to them, steps "
                                + load.steps());
                assertThat(load.failures()).as("seed %d", seed).isEmpty();
                load.steps().forEach((flow, steps) -> assertThat(steps).as(flow).isPositive());
                await().atMost(LIMIT).untilAsserted(() -> assertThat(load.differences()).as("seed %d", seed).isEmpty());
                String traces = load.exportTraces(replicated);
                await().atMost(LIMIT).untilAsserted(() -> assertThat(load.differencesIn(traces)).isEmpty());
                load.deleteDeployments();
                await().atMost(LIMIT).untilAsserted(() -> assertThat(load.remainingResources()).isEmpty());
                assertThat(load.failures()).as("seed %d", seed).isEmpty();
            }
        }
        assertThat(addresses).allMatch(address -> FreePort.isFree(address.getPort()));
        home.delete();
    }

    private void addTheOthers(ReplicatedStack replicated) {
        for (ServiceKind kind : ServiceKind.values()) {
            replicated.add(kind, root);
        }
        replicated.addRuntime(root);
    }
}
