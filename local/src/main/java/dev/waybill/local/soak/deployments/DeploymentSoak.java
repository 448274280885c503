package dev.waybill.local.soak.deployments;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** A fleet on the packaged runtime; what is broken throws. */
public final class DeploymentSoak {

    private static final int UPDATES = 5;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int LOOK_MILLIS = 200;

    private DeploymentSoak() {
    }

    /** @param root of the project */
    public static void run(Path root, HomeDirectory home, int deployments, PrintStream out) {
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free())
                // Twenty JVMs that begin at once on two cores.
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.health-timeout", "5m");
        try (Stack stack = Stack.start(settings); WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            DeploymentTarget ground = new DeploymentTarget(client, stack.secrets().apiKey(),
                    List.of(stack.service(ServiceKind.CONTROL_PLANE).address()), stack.applications(),
                    home.directory().resolve("repositories").toAbsolutePath());
            run(ground, deployments, out);
        }
    }

    private static void run(DeploymentTarget ground, int deployments, PrintStream out) {
        long began = System.nanoTime();
        try (DeploymentGroup fleet = DeploymentGroup.deploy(ground, deployments)) {
            out.printf(Locale.ROOT, "deployments: %d are deployed after %.0f s%n", deployments, seconds(began));
            try (AvailabilityProbe probe = AvailabilityProbe.on(fleet.members(), ground.apiKey())) {
                long updated = System.nanoTime();
                fleet.update(ground, UPDATES);
                fleet.awaitLatest();
                require("every deployment answers with its newest commit", probe::outOfDate);
                out.printf(Locale.ROOT, "deployments: each on the newest of %d more revisions after %.0f s%n", UPDATES,
                        seconds(updated));
                require("every deployment is on its newest revision", fleet::notOnNewest);
                requireNone("every step is done once", fleet.notDoneOnce(Set.of()));
                require("nothing is left of other revisions", fleet::leftovers);
                int enough = probe.answered() + 2;
                require("applications go on", () -> probe.answered() >= enough ? List.of() : List.of("they do not"));
                requireNone("no request fails", probe.failures());
                out.printf(Locale.ROOT, "deployments: no request failed of at least %d to each%n", probe.answered());
            }
            fleet.delete();
            require("nothing is left of what was deleted", fleet::remains);
            out.printf(Locale.ROOT, "deployments: nothing is left of them after %.0f s%n", seconds(began));
        }
    }

    private static void require(String promise, Supplier<List<String>> broken) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!broken.get().isEmpty()) {
            if (System.nanoTime() > deadline) {
                requireNone(promise, broken.get());
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static void requireNone(String promise, List<String> broken) {
        if (!broken.isEmpty()) {
            throw new IllegalStateException("not kept: " + promise + ": " + broken);
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
