package dev.waybill.local.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.storage.FreePort;

/**
 * One process of a service. Every stack has one of each; more can be put beside them. The withers answer changed copies.
 *
 * @param name for its log and configuration
 * @param managementPort where its metrics and descriptions are
 * @param properties configuration, beside what all processes of the service are told
 * @param options of its JVM
 * @param release the root of the project that its service is taken from; null for the stack's own
 */
public record Replica(ServiceKind kind, String name, int port, int managementPort, Map<String, String> properties,
        List<String> options, @Nullable Path release) {

    public Replica {
        properties = Map.copyOf(properties);
        options = List.copyOf(options);
    }

    /** On a port that is free now. */
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

    /** From another folder than the stack's own: an earlier or later release. */
    public Replica release(Path root) {
        return new Replica(kind, name, port, managementPort, properties, options, root);
    }
}
