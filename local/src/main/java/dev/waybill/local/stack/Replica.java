package dev.waybill.local.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.storage.FreePort;

/**
 * The settings of a service process. A stack starts one replica per service, and callers can add others. The withers return
 * changed copies.
 *
 * @param name the name of its log and configuration files
 * @param managementPort the port of its management interface
 * @param properties configuration in addition to that of all replicas of the service
 * @param options JVM options
 * @param release the root of the project that contains its service; null for the stack's project
 */
public record Replica(ServiceKind kind, String name, int port, int managementPort, Map<String, String> properties,
        List<String> options, @Nullable Path release) {

    public Replica {
        properties = Map.copyOf(properties);
        options = List.copyOf(options);
    }

    /** Returns a replica on free ports. */
    public static Replica of(ServiceKind kind, String name) {
        return new Replica(kind, name, FreePort.find(), FreePort.find(), Map.of(), List.of(), null);
    }

    static Replica first(ServiceKind kind, Ports ports) {
        return new Replica(kind, kind.module(), ports.of(kind), ports.management(kind), Map.of(), List.of(), null);
    }

    public Replica property(String key, String value) {
        Map<String, String> changed = new TreeMap<>(properties);
        changed.put(key, value);
        return new Replica(kind, name, port, managementPort, changed, options, release);
    }

    public Replica option(String value) {
        List<String> changed = new ArrayList<>(options);
        changed.add(value);
        return new Replica(kind, name, port, managementPort, properties, changed, release);
    }

    /** Runs the service of another project folder, such as that of an earlier release. */
    public Replica release(Path root) {
        return new Replica(kind, name, port, managementPort, properties, options, root);
    }
}
