package dev.waybill.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** An application of two graphs: the sample that ships, and one whose worker does what no worker should. */
public final class RuntimeSettings implements QuarkusTestResourceLifecycleManager {

    public static final String KEY = "key-of-a-test";
    public static final String OTHER_KEY = "key-of-somebody-else";

    @Override
    public Map<String, String> start() {
        try {
            Path directory = Files.createTempDirectory("waybill-application");
            Path sample = Path.of(System.getProperty("waybill.root"), "deployment-runtime/samples/java/Agent.java");
            Files.writeString(directory.resolve("langgraph.json"), """
                    {"graphs": {
                        "agent": {"command": ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "%s"],
                                  "description": "Echoes."},
                        "naughty": {"command": ["%s/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "%s",
                                  "dev.waybill.runtime.NaughtyWorker"]}},
                     "env": {"GREETING": "hello"}}""".formatted(sample, System.getProperty("java.home"), testClasses()));
            return Map.of(
                    "waybill.runtime.directory", directory.toString(),
                    "waybill.runtime.access.keys", KEY + "," + OTHER_KEY,
                    "waybill.runtime.runs.heartbeat", "200ms",
                    "waybill.runtime.runs.resumable", "64K",
                    "waybill.runtime.runs.reconnect", "300ms",
                    "waybill.runtime.worker.longest-line", "256K",
                    "waybill.runtime.worker.unasked", "1M",
                    "waybill.runtime.worker.cancel-timeout", "200ms",
                    "waybill.runtime.worker.first-pause", "10ms");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path testClasses() {
        return Path.of(System.getProperty("waybill.root"), "deployment-runtime/target/test-classes");
    }

    @Override
    public void stop() {
        // Nothing was started.
    }
}
