package dev.waybill.controlplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineStartupCheckTest {

    @ParameterizedTest
    @ValueSource(strings = { "{name}.apps.example.com", "apps.example.com", "{tenant_id}.apps.example.com" })
    void rejectsAHostSharedByDeployments(String host) {
        assertThat(EngineStartupCheck.ambiguousHost(Optional.of(host))).get().asString()
                .contains("waybill.engine.kubernetes.ingress.host", host);
    }

    @ParameterizedTest
    @ValueSource(strings = { "{id}.apps.example.com", "{name}-{id}.apps.example.com", "{name}.{tenant_id}.apps.example.com" })
    void acceptsAUniqueHost(String host) {
        assertThat(EngineStartupCheck.ambiguousHost(Optional.of(host))).isEmpty();
        assertThat(EngineStartupCheck.ambiguousHost(Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "waybill.runtime.tracing.key", "waybill.tracing.key", "WAYBILL_RUNTIME_TRACING_KEY",
            "waybill.runtime.threads.database.password" })
    void rejectsASharedTracingKey(String setting) {
        assertThat(EngineStartupCheck.sharedKey("local",
                Map.of("waybill.runtime.tracing.url", "http://127.0.0.1:1", setting, "wb_x")))
                .get().asString().contains("waybill.engine.local.settings.\"" + setting + "\"").doesNotContain("wb_x");
    }

    @Test
    void acceptsASharedTracingUrl() {
        assertThat(EngineStartupCheck.sharedKey("local", Map.of("waybill.runtime.tracing.url", "http://127.0.0.1:1")))
                .isEmpty();
    }
}
