package dev.waybill.export;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.TestCertificate;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** Test configuration: allows buckets on loopback and shortens intervals. */
public final class ExportSettings implements QuarkusTestResourceLifecycleManager {

    /** The encryption key {@code old}, which only decrypts. */
    public static final String OLD_KEY = key(5);

    private final SpanCollector collector = new SpanCollector();

    @Override
    public Map<String, String> start() {
        Map<String, String> settings = new HashMap<>(JsonLog.settings());
        settings.putAll(TestCertificate.settings());
        settings.putAll(collector.settings());
        // For packaged services, which do not run in test mode.
        settings.put("quarkus.management.port", "0");
        // Tests send many requests without a key from one address.
        settings.put("waybill.rate.anonymous-per-second", "0");
        settings.putAll(Map.ofEntries(
                Map.entry("quarkus.log.category.\"dev.waybill.export.execution.AttemptLog\".level", "DEBUG"),
                Map.entry("waybill.encryption.current", "test"),
                Map.entry("waybill.encryption.keys.test", key(7)),
                Map.entry("waybill.encryption.keys.old", OLD_KEY),
                Map.entry("waybill.net.allow-http", "true"),
                Map.entry("waybill.net.allowed-ranges", "127.0.0.0/8"),
                // As in production: a slow replica does not lose its lease.
                Map.entry("waybill.export.execution.lease-ttl", "20s"),
                Map.entry("waybill.export.execution.max-backoff", "200ms"),
                Map.entry("waybill.export.execution.max-row-size", "2M"),
                Map.entry("waybill.export.execution.max-row-group-size", "512K"),
                Map.entry("waybill.export.execution.max-file-size", "1M"),
                // Each call of the validation has a timeout of ten seconds.
                Map.entry("waybill.export.validation-timeout", "1m"),
                Map.entry("waybill.export.storage.connect-timeout", "20s"),
                Map.entry("waybill.export.storage.read-timeout", "10s"),
                Map.entry("waybill.export.limits.running-exports", "3"),
                Map.entry("waybill.export.preview.timeout", "16s"),
                Map.entry("waybill.export.preview.max-counted-rows", "16000"),
                Map.entry("waybill.export.preview.max-filtered-rows", "400"),
                Map.entry("waybill.export.limits.unfinished-exports", "100"),
                Map.entry("waybill.export.limits.max-attempts", "5"),
                Map.entry("waybill.export.schedule.late-rows-interval", "1s")));
        return settings;
    }

    private static String key(int step) {
        byte[] key = new byte[32];
        IntStream.range(0, key.length).forEach(i -> key[i] = (byte) (i * step + 3));
        return Base64.getEncoder().encodeToString(key);
    }

    @Override
    public void stop() {
        collector.close();
    }
}
