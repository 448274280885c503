package dev.waybill.soak.hostile;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.JavaHeap;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.storage.Wait;
import dev.waybill.soak.hostile.OpenApiOperations.Operation;

/**
 * Sends hostile requests for a minute and fails if services return server errors, leak resources or slow other clients down.
 */
public final class HostileSoak {

    private static final Duration DURATION = Duration.ofMinutes(1);
    private static final Duration BASELINE_DURATION = Duration.ofSeconds(20);
    /** The JIT compiler uses more CPU than the first rejections themselves; it is idle after as many as this. */
    private static final int WARM_UP = 120_000;
    private static final long HEAP_GROWTH = 12L << 20;
    private static final int THREAD_GROWTH = 10;
    private static final int MAX_SLOWDOWN = 2;

    private final Stack stack;
    private final Map<URI, List<Operation>> services = new LinkedHashMap<>();
    private final PrintStream out;

    private HostileSoak(Stack stack, Path root, PrintStream out) {
        this.stack = stack;
        this.out = out;
        for (ServiceKind kind : ServiceKind.apis()) {
            services.put(stack.service(kind).address(), OpenApiOperations.of(root, kind.module()));
        }
    }

    /** Runs the test. {@code root} is the root of the project. */
    public static void run(Path root, HomeDirectory home, int requests, PrintStream out) {
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free()).optimizingCompiler(true);
        try (Stack stack = Stack.start(settings)) {
            new HostileSoak(stack, root, out).attack(requests);
        }
    }

    private void attack(int requests) {
        p99(() -> new HostileClients(services).send(WARM_UP, DURATION.toNanos() / requests * WARM_UP));
        Map<ServiceKind, Usage> before = usage();
        double baseline = p99(() -> Wait.sleep(BASELINE_DURATION));
        long startNanos = System.nanoTime();
        Map<String, Integer> statuses = new LinkedHashMap<>();
        double hostile = p99(() -> statuses.putAll(new HostileClients(services).send(requests, DURATION.toNanos())));
        out.printf(Locale.ROOT, "hostile: %,d requests in %.0f s, by status %s%n", requests,
                (System.nanoTime() - startNanos) / 1e9,
                statuses);
        out.printf(Locale.ROOT, "hostile: p99 of a legitimate client %.1f ms, %.1f ms before%n", hostile, baseline);
        usage().forEach((kind, after) -> requireNoGrowth(kind, before.getOrDefault(kind, after), after));
        for (ServiceKind kind : ServiceKind.apis()) {
            requireMetrics(kind);
        }
        require("no response is a server error", statuses.keySet().stream().noneMatch(status -> status.startsWith("5")));
        require("p99 at most doubles", hostile <= MAX_SLOWDOWN * baseline);
    }

    private record Usage(long heap, int threads) {
    }

    private Map<ServiceKind, Usage> usage() {
        Map<ServiceKind, Usage> usage = new LinkedHashMap<>();
        for (ServiceKind kind : ServiceKind.apis()) {
            long pid = stack.service(kind).pid();
            usage.put(kind, new Usage(JavaHeap.used(pid),
                    (int) ManagementMetrics.of(stack.service(kind)).value("jvm_threads_live_threads")));
        }
        return usage;
    }

    private double p99(Runnable meanwhile) {
        List<URI> addresses = List.of(stack.service(ServiceKind.CONTROL_PLANE).address().resolve("/v1/whoami"),
                stack.service(ServiceKind.EXPORT).address().resolve("/api/v1/bulk-exports"),
                stack.service(ServiceKind.EXPERIMENT).address().resolve("/api/v1/sessions"));
        try (LegitimateClient client = LegitimateClient.of(addresses, stack.secrets().apiKey())) {
            meanwhile.run();
            return client.p99();
        }
    }

    private void requireNoGrowth(ServiceKind kind, Usage before, Usage after) {
        out.printf(Locale.ROOT, "hostile: %s heap %.1f MiB, %.1f before; threads %d, %d before%n", kind.module(),
                after.heap() / 1048576.0, before.heap() / 1048576.0, after.threads(), before.threads());
        require("the heap of " + kind.module() + " does not grow", after.heap() <= before.heap() + HEAP_GROWTH);
        require("the number of threads of " + kind.module() + " does not grow",
                after.threads() <= before.threads() + THREAD_GROWTH);
    }

    private void requireMetrics(ServiceKind kind) {
        ServiceProcess service = stack.service(kind);
        List<Operation> operations = services.getOrDefault(service.address(), List.of());
        ManagementMetrics.call(service, stack.secrets().apiKey(), operations);
        List<String> missing = ManagementMetrics.of(service).missing(operations);
        out.printf(Locale.ROOT, "hostile: metrics of %s cover %d operations, %d are missing%n", kind.module(),
                operations.size(),
                missing.size());
        require("the metrics contain " + missing, missing.isEmpty());
    }

    private static void require(String check, boolean holds) {
        if (!holds) {
            throw new IllegalStateException("check failed: " + check);
        }
    }
}
