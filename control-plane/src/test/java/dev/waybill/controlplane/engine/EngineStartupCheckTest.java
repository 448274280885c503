package dev.waybill.controlplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
        assertThat(EngineStartupCheck.sharedSecret("local",
                Map.of("waybill.runtime.tracing.url", "http://127.0.0.1:1", setting, "wb_x")))
                .get().asString().contains("waybill.engine.local.settings.\"" + setting + "\"").doesNotContain("wb_x");
    }

    @ParameterizedTest
    @ValueSource(strings = { "postgresql://owner:s3cret@db:5432/waybill", "postgresql://owner@db/waybill",
            "postgresql://db/waybill?user=owner", "postgresql://db/waybill?sslmode=require&Password=s3cret",
            "postgresql://db/waybill?passwor%64=s3cret", "postgresql://owner:s3?cret@db/waybill" })
    void rejectsCredentialsInTheUrlOfThreads(String url) {
        for (String setting : List.of("waybill.runtime.threads.database.url", "WAYBILL_RUNTIME_THREADS_DATABASE_URL")) {
            assertThat(EngineStartupCheck.sharedSecret("kubernetes", Map.of(setting, url)))
                    .get().asString().contains("waybill.engine.kubernetes.settings.\"" + setting + "\"", "remove them")
                    .doesNotContain("s3", "owner");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "postgresql://postgres:5432/waybill", "postgresql://users/password?sslmode=verify-full", "" })
    void acceptsTheUrlOfThreadsWithoutCredentials(String url) {
        assertThat(EngineStartupCheck.sharedSecret("local", Map.of("waybill.runtime.threads.database.url", url))).isEmpty();
    }

    @Test
    void acceptsASharedTracingUrl() {
        assertThat(EngineStartupCheck.sharedSecret("local", Map.of("waybill.runtime.tracing.url", "http://127.0.0.1:1")))
                .isEmpty();
    }
}
