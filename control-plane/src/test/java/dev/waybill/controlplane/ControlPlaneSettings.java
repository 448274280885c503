package dev.waybill.controlplane;

import java.util.HashMap;
import java.util.Map;

import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.PostgresResource;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.TestCertificate;
import dev.waybill.local.storage.FreePort;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;

/** Configuration of the service under test; the same for all tests of the module, so that the service starts once. */
@WithTestResource(value = PostgresResource.class, scope = TestResourceScope.GLOBAL, initArgs = @ResourceArg(name = "tls", value = "true"))
@WithTestResource(value = ControlPlaneSettings.class, scope = TestResourceScope.GLOBAL)
public final class ControlPlaneSettings implements QuarkusTestResourceLifecycleManager {

    public static final String OPERATOR_KEY = "the-operator-of-this-test-installation";
    public static final String BOOTSTRAP_ORGANIZATION = "0198c1a2-0000-7000-8000-00000000000a";
    public static final String BOOTSTRAP_WORKSPACE = "0198c1a2-0000-7000-8000-00000000000b";
    public static final String BOOTSTRAP_KEY = "wb_b0075744_" + "b".repeat(43);
    public static final String BOOTSTRAP_ORGANIZATION_KEY = "wb_b0075745_" + "o".repeat(43);

    private final TokenIssuer issuer = new TokenIssuer();
    private final SpanCollector collector = new SpanCollector();

    @Override
    public Map<String, String> start() {
        Map<String, String> settings = new HashMap<>(issuer.start());
        settings.putAll(JsonLog.settings());
        settings.putAll(collector.settings());
        // Tests of e-mail start a server there.
        settings.put("quarkus.mailer.from", "Waybill <waybill@example.com>");
        settings.put("quarkus.mailer.host", "127.0.0.1");
        settings.put("quarkus.mailer.port", String.valueOf(FreePort.find()));
        settings.put("quarkus.mailer.mock", "false");
        // Webhooks of tests are received on this address, with the certificate of the service.
        settings.put("waybill.net.allowed-ranges", "127.0.0.2/32");
        settings.put("waybill.net.ca-certificates", TestCertificate.authority().toString());
        settings.put("waybill.notifications.console-url", "https://console.example.com/");
        settings.put("waybill.notifications.email-domains", "example.com");
        // Required by packaged services, which do not run in test mode.
        settings.put("quarkus.management.port", "0");
        // Tests send many unauthenticated requests from one address.
        settings.put("waybill.rate.anonymous-per-second", "0");
        settings.putAll(TestCertificate.settings());
        settings.put("waybill.operator.key", OPERATOR_KEY);
        settings.put("waybill.keys.cache-ttl", "300ms");
        settings.put("waybill.encryption.current", "test");
        settings.put("waybill.encryption.keys.test", "q83vEjRWeJq83vEjRWeJqrze8SNFZ4mrze8SNFZ4mrw=");
        settings.put("waybill.bootstrap.organization", "Bootstrapped");
        settings.put("waybill.bootstrap.organization-id", BOOTSTRAP_ORGANIZATION);
        settings.put("waybill.bootstrap.plan", "enterprise");
        settings.put("waybill.bootstrap.workspace", "First");
        settings.put("waybill.bootstrap.workspace-id", BOOTSTRAP_WORKSPACE);
        settings.put("waybill.bootstrap.api-key", BOOTSTRAP_KEY);
        settings.put("waybill.bootstrap.organization-api-key", BOOTSTRAP_ORGANIZATION_KEY);
        settings.put("waybill.rollout.max-backoff", "200ms");
        settings.put("waybill.rollout.observe-interval", "1m");
        // Long enough for a slow machine; tests expire leases explicitly.
        settings.put("waybill.rollout.lease-timeout", "30s");
        settings.put("waybill.requests.body-timeout", "5s");
        settings.put("waybill.requests.min-body-rate", "2M");
        return settings;
    }

    @Override
    public void stop() {
        issuer.stop();
        collector.close();
    }
}
