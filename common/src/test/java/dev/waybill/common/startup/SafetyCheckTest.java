package dev.waybill.common.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.secret.EncryptionConfig;
import dev.waybill.common.security.OperatorConfig;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

class SafetyCheckTest {

    /** A safe configuration. */
    private static final Map<String, String> SAFE = Map.of(
            "quarkus.http.host", "0.0.0.0",
            "quarkus.datasource.username", "waybill_control",
            "quarkus.datasource.password", "kW3-9fQz.made-at-random",
            "waybill.operator.key", "0123456789abcdefghijklmnopqrstuvwxyz",
            "waybill.startup.behind-proxy", "true");

    @Test
    void safeConfigurationHasNoViolations() {
        assertThat(violations(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
            "waybill.net.allow-http, true",
            "waybill.export.environment-credentials, true",
            "quarkus.datasource.password, waybill",
            "quarkus.datasource.password, waybill_control",
            "quarkus.datasource.password, ...",
            "waybill.operator.key, oooooooooooooooooooooooooooooooooooo",
            "waybill.bootstrap.api-key, wb_00000000_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "waybill.bootstrap.organization-api-key, wb_00000000_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "waybill.jwt.jwks-url, http://issuer.example.com/keys",
            "waybill.console.oidc.issuer, http://issuer.example.com",
            "quarkus.tls.trust-all, true",
            "quarkus.datasource.reactive.trust-all, true",
            "quarkus.kubernetes-client.trust-certs, true",
            "quarkus.http.cors.origins, *",
            "quarkus.http.cors.origins, /.*/",
            "waybill.net.allowed-ranges, 0.0.0.0/0",
            "waybill.net.allowed-ranges, 127.0.0.0/8",
            "waybill.net.allowed-ranges, 169.254.0.0/16",
            "waybill.engine.local.runtime, quarkus-run.jar",
            "quarkus.log.level, debug" })
    void unsafeSettingIsRejectedInProductionUnlessAllowed(String property, String value) {
        assertThat(violations(Map.of(property, value))).singleElement().asString().startsWith(property + " ");
        assertThat(violations(Map.of(property, value, "waybill.startup.allow-unsafe", property + ",something.else"))).isEmpty();
        assertThat(check(Map.of(property, value)).violations(false)).isEmpty();
        assertThat(violations(Map.of(property, value, "quarkus.http.host", "127.0.0.1"))).isEmpty();
    }

    @Test
    void bearerTokensRequireAnAudience() {
        Map<String, String> tokens = new HashMap<>(Map.of("waybill.jwt.issuer", "https://issuer.example.com",
                "waybill.jwt.jwks-url", "https://issuer.example.com/keys"));
        assertThat(violations(tokens)).singleElement().asString().startsWith("waybill.jwt.audience is missing");
        tokens.put("waybill.jwt.audience", " ");
        assertThat(violations(tokens)).singleElement().asString().startsWith("waybill.jwt.audience is missing");
        tokens.put("waybill.jwt.audience", "waybill");
        assertThat(violations(tokens)).isEmpty();
    }

    @Test
    void randomHexadecimalKeyIsAccepted() {
        // Given: a result of "openssl rand -hex 16" with few different digits
        assertThat(violations(Map.of("waybill.operator.key", "3b0f11bb97f0b39cf33b0cb1797fc90b"))).isEmpty();
    }

    @Test
    void plainHttpFromOtherMachinesIsRejected() {
        assertThat(violations(Map.of("waybill.startup.behind-proxy", "false"))).singleElement().asString()
                .startsWith("quarkus.http.insecure-requests ").contains("waybill.startup.behind-proxy=true");
        assertThat(violations(Map.of("waybill.startup.behind-proxy", "false", "quarkus.http.insecure-requests", "disabled")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ "postgresql://database.example.com:5432/waybill, , false", "postgresql://10.0.0.5/waybill, prefer, false",
            "postgresql://database/waybill, verify-full, true", "vertx-reactive:postgresql://database/waybill, REQUIRE, true",
            "postgresql://127.0.0.1:5432/waybill, , true", "postgresql://[::1]:5432/waybill, disable, true" })
    void remoteDatabaseRequiresTls(String url, String mode, boolean isSafe) {
        Map<String, String> settings = new HashMap<>(Map.of("quarkus.datasource.reactive.url", url));
        if (mode != null) {
            settings.put("quarkus.datasource.reactive.postgresql.ssl-mode", mode);
        }

        assertThat(violations(settings)).hasSize(isSafe ? 0 : 1)
                .allMatch(violation -> violation.startsWith("quarkus.datasource.reactive.postgresql.ssl-mode "));
        settings.put("waybill.startup.allow-unsafe", "quarkus.datasource.reactive.postgresql.ssl-mode");
        assertThat(violations(settings)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ "jdbc:postgresql://database:5432/waybill, false", "jdbc:postgresql://database/waybill?sslmode=prefer, false",
            "jdbc:postgresql://database/waybill?sslmode=verify-full&sslrootcert=/ca.crt, true",
            "jdbc:postgresql://localhost/waybill, true" })
    void remoteDatabaseRequiresTlsOverJdbc(String url, boolean isSafe) {
        assertThat(violations(Map.of("quarkus.datasource.jdbc.url", url))).hasSize(isSafe ? 0 : 1)
                .allMatch(violation -> violation.startsWith("quarkus.datasource.jdbc.url "));
    }

    @ParameterizedTest
    @ValueSource(strings = { "waybill.telemetry.headers.authorization", "WAYBILL_TELEMETRY_HEADERS_AUTHORIZATION" })
    void remoteCollectorWithSecretsRequiresTls(String header) {
        Map<String, String> settings = new HashMap<>(Map.of("waybill.telemetry.endpoint", "http://collector:4318"));
        assertThat(violations(settings)).isEmpty();

        settings.put(header, "secret");
        assertThat(violations(settings)).singleElement().asString().startsWith("waybill.telemetry.endpoint ")
                .doesNotContain("secret");
        settings.put("waybill.telemetry.endpoint", "https://collector:4318");
        assertThat(violations(settings)).isEmpty();
    }

    @Test
    void consoleRequiresASessionKey() {
        Map<String, String> console = new HashMap<>(Map.of("waybill.console.control-plane-url", "http://control-plane:8080"));
        assertThat(violations(console)).singleElement().asString().startsWith("waybill.console.session.key is missing");
        console.put("waybill.console.session.key", Base64.getEncoder().encodeToString(new byte[32]));
        assertThat(violations(console)).singleElement().asString()
                .startsWith("waybill.console.session.key is not a random key");
        console.put("waybill.console.session.key", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=");
        assertThat(violations(console)).isEmpty();
    }

    @Test
    void serviceWithoutDatabaseNeedsNoPassword() {
        assertThat(violations(Map.of("quarkus.datasource.username", "", "quarkus.datasource.password", ""))).isEmpty();
    }

    @Test
    void narrowSettingsAreAccepted() {
        assertThat(violations(Map.of("waybill.net.allowed-ranges", "10.0.0.0/8,192.168.7.0/24",
                "quarkus.http.cors.origins", "https://ui.example.com,/https:\\/\\/.*\\.example\\.com/",
                "waybill.engine.kind", "kubernetes", "waybill.engine.local.runtime", "quarkus-run.jar"))).isEmpty();
    }

    @Test
    void reportsAllViolationsTogetherWithoutSecrets() {
        // Given
        Map<String, String> unsafe = Map.of("waybill.startup.behind-proxy", "false", "waybill.net.allow-http", "true",
                "quarkus.log.level", "TRACE", "quarkus.datasource.password", "postgres", "waybill.operator.key",
                "oooops");

        // When
        List<String> violations = violations(unsafe);

        // Then
        assertThat(violations).hasSize(6)
                .noneMatch(violation -> violation.contains("oooops") || violation.contains("postgres"));
    }

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void weakKeysAreRejectedInEveryProfile(boolean inProduction) {
        // Given
        String zeros = Base64.getEncoder().encodeToString(new byte[32]);

        // When
        List<String> violations = check(Map.of("waybill.encryption.keys.k", zeros, "waybill.operator.key", "abcdefghijklmnop"))
                .violations(inProduction);

        // Then
        assertThat(violations).hasSize(2);
    }

    private static List<String> violations(Map<String, String> overrides) {
        return check(overrides).violations(true);
    }

    private static SafetyCheck check(Map<String, String> overrides) {
        Map<String, String> all = new HashMap<>(SAFE);
        all.putAll(overrides);
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withSources(new PropertiesConfigSource(all, "test", ConfigSource.DEFAULT_ORDINAL))
                .withMapping(OperatorConfig.class)
                .withMapping(EncryptionConfig.class)
                .withMapping(StartupConfig.class)
                .withMapping(NetConfig.class)
                .build();
        return new SafetyCheck(config.getConfigMapping(OperatorConfig.class), config.getConfigMapping(EncryptionConfig.class),
                config.getConfigMapping(StartupConfig.class), config,
                new AddressGuard(config.getConfigMapping(NetConfig.class), host -> List.of()));
    }
}
