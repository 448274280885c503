package dev.waybill.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.UUID;

import dev.waybill.client.WaybillClients;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.tour.Exporter;

/** The stack that the end-to-end tests share, on free ports. A test restarts the processes that it kills. */
public final class RunningStack {

    /** Receives the spans of the control plane and of experiment-service. */
    public static final SpanReceiver COLLECTOR = new SpanReceiver();

    /** Issuer of bearer tokens that all services accept; {@link Issuer} runs it. */
    static final String ISSUER = "http://127.0.0.1:" + FreePort.find();
    /** Audience of these tokens. */
    static final String AUDIENCE = "https://waybill.test/api";

    private static RunningStack shared;

    public final Stack stack;
    public final WaybillClients client;
    public final Path directory;
    private final StackSettings settings;

    private RunningStack(StackSettings settings) {
        this.settings = settings;
        this.stack = Stack.start(settings);
        this.client = WaybillClients.of(stack.secrets().apiKey());
        this.directory = settings.home().directory();
    }

    public static synchronized RunningStack get() {
        if (shared == null) {
            HomeDirectory home = new HomeDirectory(ForkFolder.resolve("end-to-end"));
            Stack.stopOrphans(home);
            home.delete();
            shared = new RunningStack(settings(home));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> get().stack.close()));
        }
        return shared;
    }

    /** Starts another stack on the data and ports of this running one, as after {@code --keep} or kill -9 of the launcher. */
    public RunningStack takeOver() {
        synchronized (RunningStack.class) {
            shared = new RunningStack(settings);
            return shared;
        }
    }

    /** Returns the default settings with shorter intervals for tests. */
    private static StackSettings settings(HomeDirectory home) {
        StackSettings settings = StackSettings.of(root(), home).ports(Ports.free())
                .property(ServiceKind.CONTROL_PLANE, "waybill.rollout.lease-timeout", "5s")
                // For a slow machine.
                .property(ServiceKind.CONTROL_PLANE, "waybill.engine.local.settings.\"waybill.runtime.access.timeout\"", "1m")
                .property(ServiceKind.EXPORT, "waybill.export.storage.connect-timeout", "30s")
                .property(ServiceKind.CONTROL_PLANE, "waybill.telemetry.endpoint", COLLECTOR.address().toString())
                .property(ServiceKind.EXPERIMENT, "waybill.telemetry.endpoint", COLLECTOR.address().toString())
                .property(ServiceKind.EXPORT, "waybill.export.execution.lease-ttl", "5s");
        for (ServiceKind kind : ServiceKind.apis()) {
            settings = settings.property(kind, "waybill.keys.cache-ttl", "2s")
                    .property(kind, "waybill.jwt.issuer", ISSUER)
                    .property(kind, "waybill.jwt.jwks-url", ISSUER + "/jwks")
                    .property(kind, "waybill.jwt.audience", AUDIENCE)
                    .property(kind, "quarkus.datasource.jdbc.acquisition-timeout", "2M");
        }
        return settings;
    }

    public static Path root() {
        return Path.of(System.getProperty("waybill.root"));
    }

    public URI address(ServiceKind kind) {
        return stack.service(kind).address();
    }

    public Exporter exporter() {
        return new Exporter(client, address(ServiceKind.EXPORT));
    }

    /** Creates a destination in the stack's bucket and returns its id. */
    public UUID destination(String prefix) {
        return exporter().destination("End to end " + prefix, prefix, stack);
    }

    /** Returns a client of the stack's bucket; the caller closes it. */
    public Bucket bucket() {
        return stack.bucket();
    }

    public SessionResponse session(String name) {
        return session(client, name);
    }

    SessionResponse session(WaybillClients clients, String name) {
        return clients.traces(address(ServiceKind.EXPERIMENT)).findSession(name)
                .orElseThrow(() -> new AssertionError("no session " + name));
    }
}
