package dev.waybill.local.stack;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of a stack. The withers return changed copies:
 *
 * <pre>
 * StackSettings.of(root, home)
 *         .ports(Ports.free())
 *         .heap(ServiceKind.EXPORT, "256m")
 *         .property(ServiceKind.EXPORT, "waybill.export.limits.running-runs", "4")
 * </pre>
 *
 * @param root the root of the project, which contains the packaged services
 * @param home the folder of the stack's data
 * @param ports the ports of all processes
 * @param detached true leaves all processes running when this JVM ends
 * @param optimizingCompiler true uses the JVM's optimizing compiler as in production; false makes services start faster and run
 *        slower
 * @param heaps maximum heap by service, as in {@code -Xmx}
 * @param properties configuration by service in addition to the stack's own
 * @param release the root of the project that contains the services if it is not {@code root}
 * @param console whether the console is started as well
 */
public record StackSettings(Path root, HomeDirectory home, Ports ports, boolean detached, boolean optimizingCompiler,
        Map<ServiceKind, String> heaps, Map<ServiceKind, Map<String, String>> properties, Path release,
        boolean console) {

    private static final String START_TIMEOUT = "4m";
    private static final String LAKE = "waybill.lake.bucket";
    /** A compaction is a third writer beside two runs. */
    private static final String HEAP_WITH_LAKE = "288m";

    public StackSettings {
        heaps = Map.copyOf(heaps);
        properties = Map.copyOf(properties);
    }

    /** Returns the defaults: known ports, default heaps, not detached, and timeouts for slow machines. */
    public static StackSettings of(Path root, HomeDirectory home) {
        return new StackSettings(root.toAbsolutePath(), home, Ports.from(System.getenv()), false, false, Map.of(), Map.of(),
                root.toAbsolutePath(), false)
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.health-timeout", START_TIMEOUT)
                .property(ServiceKind.CONTROL_PLANE,
                        "waybill.engine.local.settings.\"waybill.runtime.worker.start-timeout\"", START_TIMEOUT)
                .property(ServiceKind.EXPORT, "waybill.export.validation-timeout", "1m");
    }

    public StackSettings ports(Ports value) {
        return new StackSettings(root, home, value, detached, optimizingCompiler, heaps, properties, release, console);
    }

    public StackSettings detached(boolean value) {
        return new StackSettings(root, home, ports, value, optimizingCompiler, heaps, properties, release, console);
    }

    public StackSettings optimizingCompiler(boolean value) {
        return new StackSettings(root, home, ports, detached, value, heaps, properties, release, console);
    }

    public StackSettings heap(ServiceKind kind, String value) {
        Map<ServiceKind, String> changed = new EnumMap<>(ServiceKind.class);
        changed.putAll(heaps);
        changed.put(kind, value);
        return new StackSettings(root, home, ports, detached, optimizingCompiler, changed, properties, release, console);
    }

    public StackSettings property(ServiceKind kind, String name, String value) {
        Map<String, String> updated = new TreeMap<>(properties.getOrDefault(kind, Map.of()));
        updated.put(name, value);
        Map<ServiceKind, Map<String, String>> changed = new EnumMap<>(ServiceKind.class);
        changed.putAll(properties);
        changed.put(kind, Map.copyOf(updated));
        return new StackSettings(root, home, ports, detached, optimizingCompiler, heaps, changed, release, console);
    }

    /** Runs the services of another project folder, such as that of an earlier release. */
    public StackSettings release(Path value) {
        return new StackSettings(root, home, ports, detached, optimizingCompiler, heaps, properties, value.toAbsolutePath(),
                console);
    }

    /** Starts the console as well. */
    public StackSettings withConsole() {
        return new StackSettings(root, home, ports, detached, optimizingCompiler, heaps, properties, release, true);
    }

    /** Stores closed days in the stack's bucket. Tests of exports and benchmarks run without this work in the background. */
    public StackSettings withLake() {
        return property(ServiceKind.EXPORT, LAKE, Stack.BUCKET)
                .property(ServiceKind.EXPERIMENT, LAKE, Stack.BUCKET);
    }

    /** Returns the folder of the sample application. */
    public static Path sampleApplication(Path root) {
        return root.resolve("deployment-runtime/samples/java");
    }

    /** Returns the root of the project that contains the replica's service. */
    Path release(Replica replica) {
        return replica.release() == null ? release : replica.release();
    }

    /** Returns the services to start. */
    List<ServiceKind> services() {
        return console ? List.of(ServiceKind.values()) : ServiceKind.apis();
    }

    /** Returns the maximum heap of a replica with all its properties. */
    String heap(Replica replica) {
        ServiceKind kind = replica.kind();
        boolean compacts = kind == ServiceKind.EXPORT
                && (replica.properties().containsKey(LAKE) || properties(kind).containsKey(LAKE));
        return heaps.getOrDefault(kind, compacts ? HEAP_WITH_LAKE : kind.defaultHeap());
    }

    Map<String, String> properties(ServiceKind kind) {
        return properties.getOrDefault(kind, Map.of());
    }
}
