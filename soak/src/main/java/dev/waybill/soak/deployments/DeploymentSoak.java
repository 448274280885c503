package dev.waybill.soak.deployments;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import dev.waybill.client.WaybillClients;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.storage.Wait;

/** Updates many deployments concurrently on the packaged runtime and fails if a check fails. */
public final class DeploymentSoak {

    private static final int UPDATES = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private DeploymentSoak() {
    }

    /** Runs the test. {@code root} is the root of the project. */
    public static void run(Path root, HomeDirectory home, int deployments, PrintStream out) {
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free())
                // Twenty JVMs may start concurrently on two cores.
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.health-timeout", "5m");
        try (Stack stack = Stack.start(settings); WaybillClients client = WaybillClients.of(stack.secrets().apiKey())) {
            DeploymentTarget target = new DeploymentTarget(client, stack.secrets().apiKey(),
                    List.of(stack.service(ServiceKind.CONTROL_PLANE).address()), stack.applications(),
                    home.directory().resolve("repositories").toAbsolutePath());
            run(target, deployments, out);
        }
    }

    private static void run(DeploymentTarget target, int deployments, PrintStream out) {
        long startNanos = System.nanoTime();
        try (DeploymentGroup group = DeploymentGroup.deploy(target, deployments)) {
            out.printf(Locale.ROOT, "deployments: %d deployed after %.0f s%n", deployments, seconds(startNanos));
            try (AvailabilityProbe probe = AvailabilityProbe.start(group.deployments(), target.apiKey())) {
                long updateNanos = System.nanoTime();
                group.update(target, UPDATES);
                group.awaitLatest();
                require("every deployment serves its latest commit", probe::outdated);
                out.printf(Locale.ROOT, "deployments: each serves the latest of %d more revisions after %.0f s%n", UPDATES,
                        seconds(updateNanos));
                require("the latest revision of every deployment is active", group::outdated);
                requireNone("every step is executed once", group.stepsNotExecutedOnce(Set.of()));
                require("no files or processes of other revisions remain", group::obsoleteResources);
                int expected = probe.minResponses() + 2;
                require("applications keep responding",
                        () -> probe.minResponses() >= expected ? List.of() : List.of("no response"));
                requireNone("no request fails", probe.failures());
                out.printf(Locale.ROOT, "deployments: at least %d requests to each, none failed%n", probe.minResponses());
            }
            group.delete();
            require("no resources of deleted deployments remain", group::remainingResources);
            out.printf(Locale.ROOT, "deployments: deleted without remaining resources after %.0f s%n", seconds(startNanos));
        }
    }

    private static void require(String check, Supplier<List<String>> failures) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!failures.get().isEmpty()) {
            if (System.nanoTime() > deadline) {
                requireNone(check, failures.get());
            }
            Wait.sleep(POLL_INTERVAL);
        }
    }

    private static void requireNone(String check, List<String> failures) {
        if (!failures.isEmpty()) {
            throw new IllegalStateException("check failed: " + check + ": " + failures);
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
