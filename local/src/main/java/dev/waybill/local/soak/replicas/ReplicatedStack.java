package dev.waybill.local.soak.replicas;

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
import java.util.concurrent.locks.LockSupport;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** A stack of its own, with as many replicas of each service as are put into it, and replicas of one application beside it. */
public final class ReplicatedStack implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofMinutes(5);
    private static final String LENIENT = "quarkus.flyway.ignore-future-migrations";

    private final Path root;
    private final HomeDirectory home;
    private final Stack stack;
    private final Map<ServiceKind, ReplicaPool> services;
    private final ReplicaPool applications = new ReplicaPool("deployment-runtime");
    private final TcpLoadBalancer controlPlane;
    private final TcpLoadBalancer traces;
    private final AtomicInteger added = new AtomicInteger();

    private ReplicatedStack(Path root, HomeDirectory home, Stack stack, Map<ServiceKind, ReplicaPool> services, TcpLoadBalancer controlPlane,
            TcpLoadBalancer traces) {
        this.root = root;
        this.home = home;
        this.stack = stack;
        this.services = services;
        this.controlPlane = controlPlane;
        this.traces = traces;
    }

    /**
     * One replica of everything, of that release.
     *
     * @param root of the project
     * @param home where data and logs are, forgotten first
     * @param release the root of the project that services are taken from
     */
    public static ReplicatedStack start(Path root, HomeDirectory home, Path release) {
        Stack.stopOrphans(home);
        home.delete();
        Map<ServiceKind, ReplicaPool> services = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : ServiceKind.values()) {
            services.put(kind, new ReplicaPool(kind.module()));
        }
        TcpLoadBalancer controlPlane = TcpLoadBalancer.of(requireNonNull(services.get(ServiceKind.CONTROL_PLANE)));
        TcpLoadBalancer traces = TcpLoadBalancer.of(requireNonNull(services.get(ServiceKind.EXPERIMENT)));
        StackSettings settings = hasty(StackSettings.of(root, home).ports(Ports.free()).release(release))
                .property(ServiceKind.CONTROL_PLANE, forApplications("access.control-plane-url"), controlPlane.uri().toString())
                .property(ServiceKind.CONTROL_PLANE, forApplications("access.timeout"), "1m")
                .property(ServiceKind.CONTROL_PLANE, forApplications("worker.start-timeout"), "5m")
                .property(ServiceKind.CONTROL_PLANE, forApplications("tracing.url"), traces.uri().toString());
        Stack stack = Stack.start(settings);
        ReplicatedStack landscape = new ReplicatedStack(root, home, stack, services, controlPlane, traces);
        try {
            for (ServiceKind kind : ServiceKind.values()) {
                landscape.enter(kind, kind.module(), stack.service(kind));
            }
            landscape.addApplication(release);
            return landscape;
        } catch (RuntimeException e) {
            landscape.close();
            throw e;
        }
    }

    // What a production service does in minutes happens here in seconds; a slow machine has its time.
    private static StackSettings hasty(StackSettings settings) {
        StackSettings hasty = settings
                .property(ServiceKind.CONTROL_PLANE, "waybill.rollout.lease", "5s")
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.health-timeout", "5m")
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.end-with-control-plane", "false")
                .property(ServiceKind.EXPORT, "waybill.export.validation-timeout", "1m")
                .property(ServiceKind.EXPORT, "waybill.export.storage.connect-timeout", "30s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.lease", "5s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.heartbeat", "1s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.sweep-every", "1s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.first-pause", "300ms")
                .property(ServiceKind.EXPORT, "waybill.export.execution.longest-pause", "2s");
        for (ServiceKind kind : ServiceKind.values()) {
            hasty = hasty.property(kind, "waybill.keys.cache-ttl", "2s")
                    .property(kind, "waybill.idempotency.lease-duration", "5s")
                    .property(kind, "quarkus.datasource.jdbc.acquisition-timeout", "2M");
        }
        return hasty;
    }

    private static String forApplications(String setting) {
        return "waybill.engine.local.settings.\"waybill.runtime." + setting + "\"";
    }

    /** One more replica of a service; returns when it is ready and takes requests. */
    public ServiceReplica add(ServiceKind kind, Path release) {
        String name = kind.module() + "-" + added.incrementAndGet();
        Replica replica = Replica.of(kind, name).release(release);
        ServiceProcess process = stack.add(startsOnNewerSchemas(kind, release) ? replica : replica.property(LENIENT, "true"));
        RestartableServer.of(process).start();
        return enter(kind, name, process);
    }

    // Releases that do not by themselves have to be told (docs/operations.md "Upgrade and rollback").
    private static boolean startsOnNewerSchemas(ServiceKind kind, Path release) {
        try {
            return Files.readString(release.resolve(kind.module()).resolve("src/main/resources/application.properties"))
                    .contains(LENIENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ServiceReplica enter(ServiceKind kind, String name, ServiceProcess process) {
        ServiceReplica member = new ServiceReplica(name, RestartableServer.of(process), apiKey());
        service(kind).add(member);
        return member;
    }

    /** One more replica of the sample application, served by that release; returns when it takes requests. */
    public ServiceReplica addApplication(Path release) {
        String name = "deployment-runtime-" + added.incrementAndGet();
        RestartableServer server = RestartableServer.runtime(release, StackSettings.sampleApplication(root), home.log(name), Map.of(
                "waybill.runtime.access.control-plane-url", controlPlane.uri().toString(),
                "waybill.runtime.access.timeout", "1m",
                "waybill.runtime.worker.start-timeout", "5m",
                "waybill.runtime.tracing.url", traces.uri().toString(),
                "waybill.runtime.tracing.key", apiKey(),
                "waybill.runtime.tracing.project", "replicas-application"));
        server.start();
        ServiceReplica member = new ServiceReplica(name, server, apiKey());
        applications.add(member);
        return member;
    }

    /** Ends a replica as a rollout does: it gets no more requests, those it has are answered, then it is told to end. */
    public void retire(ServiceReplica member) {
        rotations().forEach(rotation -> rotation.remove(member));
        long deadline = System.nanoTime() + DRAIN.toNanos();
        while (!member.isIdle()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(member.name() + " still answers after " + DRAIN);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        member.stop();
    }

    public ReplicaPool service(ServiceKind kind) {
        return requireNonNull(services.get(kind));
    }

    /** The application that stands for itself, not deployed by the control planes. */
    public ReplicaPool applications() {
        return applications;
    }

    /** All services, deployment-runtime among them. */
    public List<ReplicaPool> rotations() {
        List<ReplicaPool> all = new ArrayList<>(services.values());
        all.add(applications);
        return all;
    }

    /** @return one address for all control planes */
    public URI controlPlane() {
        return controlPlane.uri();
    }

    public Stack stack() {
        return stack;
    }

    public String apiKey() {
        return stack.secrets().apiKey();
    }

    /** @return where data and logs are */
    public Path directory() {
        return home.directory();
    }

    @Override
    public void close() {
        applications.members().forEach(ServiceReplica::stop);
        stack.close();
        controlPlane.close();
        traces.close();
    }
}
