package dev.waybill.runtime;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.NodeProject;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.TestCertificate;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** An application with six graphs: two samples, {@link FaultyWorker}, and three for runs on threads. */
public final class RuntimeSettings implements QuarkusTestResourceLifecycleManager {

    public static final String KEY = "key-of-a-test";
    public static final String OTHER_KEY = "key-of-somebody-else";
    public static final int CONCURRENT_RUNS = 60;

    private final SpanCollector collector = new SpanCollector();
    private @Nullable ControlPlaneStub keys;
    private @Nullable TraceStoreStub store;

    @Override
    public Map<String, String> start() {
        try {
            keys = new ControlPlaneStub();
            NodeProject node = node();
            node.install();
            Path directory = Files.createDirectories(node.work().resolve("application"));
            Path sample = module().resolve("samples/java/Agent.java");
            Files.copy(module().resolve("samples/langgraph-js/agent.mjs"), directory.resolve("agent.mjs"), REPLACE_EXISTING);
            Files.copy(node.sources().resolve("threads").resolve("served.mjs"), directory.resolve("threads.mjs"),
                    REPLACE_EXISTING);
            Files.writeString(directory.resolve("langgraph.json"), """
                    {"graphs": {
                        "agent": {"command": ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "%s"],
                                  "description": "Echoes."},
                        "langgraph": "./agent.mjs:graph",
                        "misbehaving": {"command": ["%s/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "%s",
                                  "dev.waybill.runtime.FaultyWorker"]},
                        "threads": "./threads.mjs:graph",
                        "threads-own": "./threads.mjs:own",
                        "tickets": {"command": ["node", "%s"]}},
                     "env": {"GREETING": "hello"}}""".formatted(sample, System.getProperty("java.home"),
                    module().resolve("target/test-classes"), node.sources().resolve("threads").resolve("tickets.mjs")));
            store = new TraceStoreStub();
            Map<String, String> settings = new HashMap<>(TestCertificate.settings());
            settings.putAll(JsonLog.settings());
            settings.putAll(collector.settings());
            // For packaged services, which do not run in test mode.
            settings.put("quarkus.management.port", "0");
            // Tests send many requests without a key from one address.
            settings.put("waybill.rate.anonymous-per-second", "0");
            settings.putAll(Map.ofEntries(
                    Map.entry("quarkus.http.host", "localhost"),
                    Map.entry("waybill.runtime.tracing.url", store.address().toString()),
                    Map.entry("waybill.runtime.tracing.max-queue-size", "1M"),
                    Map.entry("waybill.runtime.tracing.max-trace-size", "128K"),
                    Map.entry("waybill.runtime.directory", directory.toString()),
                    Map.entry("waybill.runtime.access.keys", KEY + "," + OTHER_KEY),
                    Map.entry("waybill.runtime.access.control-plane-url", keys.url()),
                    Map.entry("waybill.runtime.access.timeout", "1m"),
                    Map.entry("waybill.runtime.access.cache-ttl", "100ms"),
                    Map.entry("waybill.runtime.runs.max-concurrent", String.valueOf(CONCURRENT_RUNS)),
                    Map.entry("waybill.net.allow-http", "true"),
                    Map.entry("waybill.net.allowed-ranges", "127.0.0.0/8"),
                    Map.entry("waybill.runtime.runs.heartbeat-interval", "200ms"),
                    Map.entry("waybill.runtime.runs.replay-buffer-size", "64K"),
                    Map.entry("waybill.runtime.runs.reconnect-timeout", "300ms"),
                    Map.entry("waybill.runtime.threads.storage", "file"),
                    Map.entry("waybill.runtime.threads.directory",
                            Files.createTempDirectory(node.work(), "threads").toString()),
                    Map.entry("waybill.runtime.worker.max-line-size", "1M")));
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Node packages of the official client and of graphs. */
    public static NodeProject node() {
        return new NodeProject(module().resolve("src/test/node"), module().resolve("target/node"));
    }

    private static Path module() {
        return Path.of(System.getProperty("waybill.root"), "deployment-runtime");
    }

    @Override
    public void stop() {
        collector.close();
        if (keys != null) {
            keys.stop();
        }
        if (store != null) {
            store.close();
        }
    }
}
