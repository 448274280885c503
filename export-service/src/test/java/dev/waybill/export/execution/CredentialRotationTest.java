package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.secret.EncryptionConfig;
import dev.waybill.common.secret.SecretCipher;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.ExportSettings;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Credentials changed between two attempts, and encryption keys removed in between (fault F30). */
@ExportServiceTest
class CredentialRotationTest {

    private static final String DESTINATIONS = "/api/v1/bulk-exports/destinations/";

    private FaultProxy proxy;
    private Exports exports;
    private String body;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void create() {
        proxy = FaultProxy.before(Bucket.endpoint());
        String prefix = "t" + UUID.randomUUID();
        body = Bucket.destination(Bucket.name(), proxy.endpoint().toString(), prefix, false);
        Account account = Accounts.account().create();
        exports = Exports.create(account, prefix, withToken("before"));
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 10);
        proxy.clear();
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        proxy.close();
    }

    @Test
    void newCredentialsApplyToTheNextAttempt() {
        // Given: the credentials are replaced during the first attempt, which then fails.
        TestCrashPoint.once(exports.tenantId(), CrashPoint.Step.PARTS_UPLOADED, () -> {
            assertThat(patch("after").statusCode()).isEqualTo(200);
            proxy.clear();
            proxy.times(3, "CompleteMultipartUpload", Fault.error(503, "SlowDown"));
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat((int) exports.client().runs(id).path("[0].retry_number")).isEqualTo(1);
        List<String> tokens = proxy.calls().stream()
                .filter(call -> call.operation().equals("CompleteMultipartUpload"))
                .map(call -> call.headers().get("x-amz-security-token"))
                .toList();
        assertThat(tokens).containsExactly("before", "before", "before", "after");
    }

    @Test
    void previousEncryptionKeyDecryptsCredentials() {
        // Given
        seal("old", ExportSettings.OLD_KEY);

        // When
        exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat(sealedWith()).isEqualTo("old");
        assertThat(exports.client().post(DESTINATIONS + exports.destinationId() + "/test", "").statusCode()).isEqualTo(200);
        assertThat(sealedWith()).isEqualTo("test");
        exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
    }

    @Test
    @Tag("full")
    void missingEncryptionKeyFailsRunUntilCredentialsAreReplaced() {
        // Given: the key is removed between the request and the run.
        TestCrashPoint.once(exports.tenantId(), CrashPoint.Step.STARTED, () -> seal("gone", ExportSettings.OLD_KEY));

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        exports.awaitStatus(id, "Failed");
        Response runs = exports.client().runs(id);
        assertThat((int) runs.path("[0].errors.size()")).isEqualTo(5);
        assertThat((String) runs.path("[0].errors.'5'.code")).isEqualTo("credentials_unavailable");
        assertThat((String) runs.path("[0].errors.'5'.message")).contains("PATCH").doesNotContain("gone", "waybill.encryption");
        assertThat(exports.client().post(DESTINATIONS + exports.destinationId() + "/test", "").statusCode()).isEqualTo(409);
        Response refused = exports.post(exports.order(MONDAY, MONDAY.plus(Duration.ofDays(1)), ""));
        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(409);
        assertThat((String) refused.path("detail")).contains("PATCH").doesNotContain("gone", "waybill.encryption");
        assertThat(proxy.calls()).isEmpty();
        assertThat(patch("again").statusCode()).isEqualTo(200);
        assertThat(sealedWith()).isEqualTo("test");
        exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
    }

    @Test
    void undecryptableCredentialsFailImmediately() {
        // Given: plain text in place of the encrypted secret.
        TestCrashPoint.once(exports.tenantId(), CrashPoint.Step.STARTED,
                () -> Traces.execute("UPDATE export.destinations SET credentials = ? WHERE id = ?",
                        "{\"access_key_id\": \"a\", \"secret_access_key\": \"b\"}".getBytes(StandardCharsets.UTF_8),
                        exports.destinationId()));

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        exports.awaitStatus(id, "Failed");
        assertThat((int) exports.client().runs(id).path("[0].errors.size()")).isEqualTo(1);
        assertThat((String) exports.client().runs(id).path("[0].errors.'1'.code")).isEqualTo("credentials_unavailable");
        assertThat(proxy.calls()).isEmpty();
    }

    private Response patch(String token) {
        String credentials = withToken(token).replaceAll("(?s).*(\"credentials\": \\{[^}]*}).*", "{$1}");
        return exports.client().patch(DESTINATIONS + exports.destinationId(), credentials);
    }

    private String withToken(String token) {
        return body.replace("\"secret_access_key\"", "\"session_token\": \"" + token + "\", \"secret_access_key\"");
    }

    /** Encrypts the destination's credentials with the given current key. */
    private void seal(String keyId, String key) {
        SecretCipher box = new SecretCipher(new Keys(Optional.of(keyId), Map.of(keyId, key)));
        String plain = withToken("sealed").replaceAll("(?s).*\"credentials\": (\\{[^}]*}).*", "$1");
        Traces.execute("UPDATE export.destinations SET credentials = ? WHERE id = ?",
                box.encrypt(plain.getBytes(StandardCharsets.UTF_8), exports.tenantId(), exports.destinationId()),
                exports.destinationId());
    }

    private String sealedWith() {
        byte[] sealed = (byte[]) Traces.query("SELECT credentials FROM export.destinations WHERE id = ?",
                exports.destinationId());
        return new String(sealed, 2, sealed[1], StandardCharsets.UTF_8);
    }

    private record Keys(Optional<String> current, Map<String, String> keys) implements EncryptionConfig {
    }
}
