package dev.waybill.experiment;

import java.util.HashMap;
import java.util.Map;

import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.PostgresResource;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.TestCertificate;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;

/** Configuration of the service under test; all tests of the module share it, so that the service starts once. */
@WithTestResource(value = PostgresResource.class, scope = TestResourceScope.GLOBAL, initArgs = {
        @ResourceArg(name = "role", value = "waybill_experiment"), @ResourceArg(name = "migrated", value = "control-plane") })
@WithTestResource(value = ExperimentSettings.class, scope = TestResourceScope.GLOBAL)
public final class ExperimentSettings implements QuarkusTestResourceLifecycleManager {

    private final SpanCollector collector = new SpanCollector();

    @Override
    public Map<String, String> start() {
        Map<String, String> settings = new HashMap<>(encryption());
        settings.putAll(TestCertificate.settings());
        settings.putAll(JsonLog.settings());
        settings.putAll(collector.settings());
        // Packaged services do not run in test mode, which would select a free port.
        settings.put("quarkus.management.port", "0");
        // Tests send many requests without a key from one address.
        settings.put("waybill.rate.anonymous-per-second", "0");
        return settings;
    }

    static Map<String, String> encryption() {
        return Map.of("waybill.encryption.current", "test",
                "waybill.encryption.keys.test", "q83vEjRWeJq83vEjRWeJqrze8SNFZ4mrze8SNFZ4mrw=");
    }

    @Override
    public void stop() {
        collector.close();
    }
}
