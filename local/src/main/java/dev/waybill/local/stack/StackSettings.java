package dev.waybill.local.stack;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a stack is started with. The withers answer changed copies:
 *
 * <pre>
 * StackSettings.of(root, home)
 *         .ports(Ports.free())
 *         .heap(ServiceKind.EXPORT, "256m")
 *         .property(ServiceKind.EXPORT, "waybill.export.runs-per-export", "4")
 * </pre>
 *
 * @param root of the project, where the packaged services are
 * @param home where data is kept
 * @param ports where everything listens
 * @param detached true leaves everything running when this JVM ends
 * @param optimizingCompiler true has the JVMs compile as they would in production; else they start sooner and run slower
 * @param heaps maximum heap by service, as in {@code -Xmx}
 * @param properties configuration by service, beside what the stack itself needs
 * @param release the root of the project that services are taken from, where that is not {@code root}
 */
public record StackSettings(Path root, HomeDirectory home, Ports ports, boolean detached, boolean optimizingCompiler,
        Map<ServiceKind, String> heaps, Map<ServiceKind, Map<String, String>> properties, Path release) {

    private static final String SLOW_START = "4m";

    public StackSettings {
        heaps = Map.copyOf(heaps);
        properties = Map.copyOf(properties);
    }

    /** Known ports, usual heaps, ends with this JVM; what is only slow is waited for. */
    public static StackSettings of(Path root, HomeDirectory home) {
        return new StackSettings(root.toAbsolutePath(), home, Ports.from(System.getenv()), false, false, Map.of(), Map.of(),
                root.toAbsolutePath())
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.health-timeout", SLOW_START)
                .property(ServiceKind.CONTROL_PLANE,
                        "waybill.engine.local.settings.\"waybill.runtime.worker.start-timeout\"", SLOW_START)
                .property(ServiceKind.EXPORT, "waybill.export.validation-timeout", "1m");
    }

    public StackSettings ports(Ports value) {
        return new StackSettings(root, home, value, detached, optimizingCompiler, heaps, properties, release);
    }

    public StackSettings detached(boolean value) {
        return new StackSettings(root, home, ports, value, optimizingCompiler, heaps, properties, release);
    }

    public StackSettings optimizingCompiler(boolean value) {
        return new StackSettings(root, home, ports, detached, value, heaps, properties, release);
    }

    public StackSettings heap(ServiceKind kind, String value) {
        Map<ServiceKind, String> changed = new EnumMap<>(ServiceKind.class);
        changed.putAll(heaps);
        changed.put(kind, value);
        return new StackSettings(root, home, ports, detached, optimizingCompiler, changed, properties, release);
    }

    public StackSettings property(ServiceKind kind, String name, String value) {
        Map<String, String> own = new TreeMap<>(properties.getOrDefault(kind, Map.of()));
        own.put(name, value);
        Map<ServiceKind, Map<String, String>> changed = new EnumMap<>(ServiceKind.class);
        changed.putAll(properties);
        changed.put(kind, Map.copyOf(own));
        return new StackSettings(root, home, ports, detached, optimizingCompiler, heaps, changed, release);
    }

    /** Services of an earlier release; all else stays this one's. */
    public StackSettings release(Path value) {
        return new StackSettings(root, home, ports, detached, optimizingCompiler, heaps, properties, value.toAbsolutePath());
    }

    /** @return the folder of an application that comes along, to be deployed */
    public static Path sampleApplication(Path root) {
        return root.resolve("deployment-runtime/samples/java");
    }

    /** @return where the replica's service is taken from */
    Path release(Replica replica) {
        return replica.release() == null ? release : replica.release();
    }

    String heap(ServiceKind kind) {
        return heaps.getOrDefault(kind, kind.defaultHeap());
    }

    Map<String, String> properties(ServiceKind kind) {
        return properties.getOrDefault(kind, Map.of());
    }
}
