package dev.waybill.soak.replicas;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.storage.Wait;

/** A stack with several replicas of each service and of a separate deployment-runtime that serves the sample application. */
public final class ReplicatedStack implements AutoCloseable {

    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(5);
    private static final String IGNORE_FUTURE_MIGRATIONS = "quarkus.flyway.ignore-future-migrations";

    private final Path root;
    private final HomeDirectory home;
    private final Stack stack;
    private final Map<ServiceKind, ReplicaPool> services;
    private final ReplicaPool applications = new ReplicaPool("deployment-runtime");
    private final TcpLoadBalancer controlPlane;
    private final TcpLoadBalancer traces;
    private final AtomicInteger added = new AtomicInteger();

    private ReplicatedStack(Path root, HomeDirectory home, Stack stack, Map<ServiceKind, ReplicaPool> services,
            TcpLoadBalancer controlPlane,
            TcpLoadBalancer traces) {
        this.root = root;
        this.home = home;
        this.stack = stack;
        this.services = services;
        this.controlPlane = controlPlane;
        this.traces = traces;
    }

    /**
     * Starts one replica of each service and of the runtime.
     *
     * @param root the root of the project
     * @param home the folder of data and logs, deleted first
     * @param release the root of the project that contains the services
     */
    public static ReplicatedStack start(Path root, HomeDirectory home, Path release) {
        Stack.stopOrphans(home);
        home.delete();
        Map<ServiceKind, ReplicaPool> services = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : ServiceKind.apis()) {
            services.put(kind, new ReplicaPool(kind.module()));
        }
        TcpLoadBalancer controlPlane = TcpLoadBalancer.of(requireNonNull(services.get(ServiceKind.CONTROL_PLANE)));
        TcpLoadBalancer traces = TcpLoadBalancer.of(requireNonNull(services.get(ServiceKind.EXPERIMENT)));
        StackSettings settings = withShortTimeouts(StackSettings.of(root, home).ports(Ports.free()).release(release))
                .property(ServiceKind.CONTROL_PLANE, runtimeSetting("access.control-plane-url"), controlPlane.uri().toString())
                .property(ServiceKind.CONTROL_PLANE, runtimeSetting("access.timeout"), "1m")
                .property(ServiceKind.CONTROL_PLANE, runtimeSetting("worker.start-timeout"), "5m")
                .property(ServiceKind.CONTROL_PLANE, runtimeSetting("tracing.url"), traces.uri().toString());
        Stack stack = Stack.start(settings);
        ReplicatedStack replicated = new ReplicatedStack(root, home, stack, services, controlPlane, traces);
        try {
            for (ServiceKind kind : ServiceKind.apis()) {
                replicated.register(kind, kind.module(), stack.service(kind));
            }
            replicated.addRuntime(release);
            return replicated;
        } catch (RuntimeException e) {
            replicated.close();
            throw e;
        }
    }

    // Shortens leases and intervals to seconds and extends the timeouts of startup.
    private static StackSettings withShortTimeouts(StackSettings settings) {
        StackSettings changed = settings
                .property(ServiceKind.CONTROL_PLANE, "waybill.rollout.lease-timeout", "5s")
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.health-timeout", "5m")
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.stop-on-shutdown", "false")
                .property(ServiceKind.EXPORT, "waybill.export.validation-timeout", "1m")
                .property(ServiceKind.EXPORT, "waybill.export.storage.connect-timeout", "30s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.lease-ttl", "5s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.max-backoff", "2s");
        for (ServiceKind kind : ServiceKind.apis()) {
            changed = changed.property(kind, "waybill.keys.cache-ttl", "2s")
                    .property(kind, "waybill.idempotency.lease-duration", "5s")
                    .property(kind, "quarkus.datasource.jdbc.acquisition-timeout", "2M");
        }
        return changed;
    }

    private static String runtimeSetting(String setting) {
        return "waybill.engine.local.settings.\"waybill.runtime." + setting + "\"";
    }

    /** Adds a replica of a service and returns when it is ready and receives requests. */
    public ServiceReplica add(ServiceKind kind, Path release) {
        String name = kind.module() + "-" + added.incrementAndGet();
        Replica replica = Replica.of(kind, name).release(release);
        ServiceProcess process = stack
                .add(startsOnNewerSchemas(kind, release) ? replica : replica.property(IGNORE_FUTURE_MIGRATIONS, "true"));
        RestartableServer.of(process).start();
        return register(kind, name, process);
    }

    // Releases without this setting require it in the environment (docs/operations/database.md "Upgrade and rollback").
    private static boolean startsOnNewerSchemas(ServiceKind kind, Path release) {
        try {
            return Files.readString(release.resolve(kind.module()).resolve("src/main/resources/application.properties"))
                    .contains(IGNORE_FUTURE_MIGRATIONS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ServiceReplica register(ServiceKind kind, String name, ServiceProcess process) {
        ServiceReplica replica = new ServiceReplica(name, RestartableServer.of(process), apiKey());
        service(kind).add(replica);
        return replica;
    }

    /** Adds a runtime of a release that serves the sample application, and returns when it receives requests. */
    public ServiceReplica addRuntime(Path release) {
        String name = "deployment-runtime-" + added.incrementAndGet();
        RestartableServer server = RestartableServer.runtime(release, StackSettings.sampleApplication(root), home.log(name),
                Map.of(
                        "waybill.runtime.access.control-plane-url", controlPlane.uri().toString(),
                        "waybill.runtime.access.timeout", "1m",
                        "waybill.runtime.worker.start-timeout", "5m",
                        "waybill.runtime.tracing.url", traces.uri().toString(),
                        "waybill.runtime.tracing.key", apiKey(),
                        "waybill.runtime.tracing.project", "replicas-application"));
        server.start();
        ServiceReplica replica = new ServiceReplica(name, server, apiKey());
        applications.add(replica);
        return replica;
    }

    /** Removes a replica as a rolling update does: removes it from its pool, waits for its requests, then stops it. */
    public void retire(ServiceReplica replica) {
        pools().forEach(pool -> pool.remove(replica));
        Wait.until(replica::isIdle, Duration.ofMillis(20), DRAIN_TIMEOUT,
                () -> replica.name() + " still has requests in progress after " + DRAIN_TIMEOUT);
        replica.stop();
    }

    public ReplicaPool service(ServiceKind kind) {
        return requireNonNull(services.get(kind));
    }

    /** Returns the runtimes that the control plane did not deploy. */
    public ReplicaPool applications() {
        return applications;
    }

    /** Returns the pools of all services and of the runtimes. */
    public List<ReplicaPool> pools() {
        List<ReplicaPool> all = new ArrayList<>(services.values());
        all.add(applications);
        return all;
    }

    /** Returns the load balancer's address of the control plane. */
    public URI controlPlane() {
        return controlPlane.uri();
    }

    public Stack stack() {
        return stack;
    }

    public String apiKey() {
        return stack.secrets().apiKey();
    }

    /** Returns the folder of data and logs. */
    public Path directory() {
        return home.directory();
    }

    @Override
    public void close() {
        applications.replicas().forEach(ServiceReplica::stop);
        stack.close();
        controlPlane.close();
        traces.close();
    }
}
