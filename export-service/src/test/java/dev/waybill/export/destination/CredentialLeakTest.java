package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.LogLines;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Threat T8: credentials must not leak through the database, logs or responses. */
@ExportServiceTest
class CredentialLeakTest {

    private static final String PATH = "/api/v1/bulk-exports/destinations";

    private final Account account = Accounts.account().create();
    private final Client client = Client.as(account);

    @Inject
    DestinationOpener destinations;

    @Test
    void credentialsNeverLeak() {
        String token = "canary-token-" + UUID.randomUUID();
        DestinationBody good = DestinationBody.valid().token(token);
        String wrongSecret = "canary-secret-" + UUID.randomUUID();
        String wrongKeyId = "CANARYKEYID" + UUID.randomUUID().toString().replace("-", "");
        List<String> secrets = List.of(token, wrongSecret, wrongKeyId, DestinationBody.setting("secret-access-key"));
        try (LogLines log = LogLines.listen();
                FaultProxy echo = FaultProxy.before(java.net.URI.create(DestinationBody.setting("endpoint")))) {
            echo.always("PutObject", new Fault.Respond(403, "application/xml", "<Error><Code>AccessDenied</Code><Message>"
                    + wrongSecret + " " + wrongKeyId + " " + token + "</Message></Error>"));

            // When
            String created = client.post(PATH, good.json(), "Idempotency-Key", UUID.randomUUID().toString()).asString();
            String id = io.restassured.path.json.JsonPath.from(created).getString("id");
            List<Response> responses = new ArrayList<>(List.of(
                    client.get(PATH),
                    client.get(PATH + "/" + id),
                    client.post(PATH, good.secret(wrongSecret).json()),
                    client.post(PATH, good.keyId(wrongKeyId).json()),
                    client.post(PATH, good.secret(wrongSecret).endpoint(echo.endpoint()).json()),
                    client.post(PATH, good.endpoint("http://169.254.169.254").json()),
                    client.post(PATH, good.secret(wrongSecret + "\n").json()),
                    client.post(PATH, good.json().replace("\"display_name\"", "\"display_name")),
                    client.patch(PATH + "/" + id, good.keyId(wrongKeyId).update()),
                    client.patch(PATH + "/" + id, good.update()),
                    client.delete(PATH + "/" + id)));

            // Then
            assertThat(created).contains("credentials_keys");
            assertThat(responses).map(Response::statusCode).doesNotContain(500);
            for (String secret : secrets) {
                byte[] bytes = secret.getBytes(StandardCharsets.US_ASCII);
                List<String> spellings = List.of(secret, HexFormat.of().formatHex(bytes),
                        Base64.getEncoder().withoutPadding().encodeToString(bytes));
                assertThat(created).doesNotContain(spellings);
                assertThat(responses)
                        .allSatisfy(response -> assertThat(response.asString() + response.headers()).doesNotContain(spellings));
                assertThat(DatabaseRows.everything("export")).isNotEmpty()
                        .allSatisfy(row -> assertThat(row).doesNotContain(spellings));
                assertThat(log.lines()).isNotEmpty().allSatisfy(line -> assertThat(line).doesNotContain(spellings));
            }
        }
    }

    @Test
    void ciphertextDecryptsInItsOwnRowAndWorkspaceOnly() {
        // Given
        Account other = Accounts.account().create();
        UUID mine = create(client);
        UUID second = create(client);
        UUID foreign = create(Client.as(other));

        // When
        copyCredentials(foreign, mine);
        copyCredentials(second, foreign);

        // Then
        assertThat(failure(account, mine)).isInstanceOf(SecretUnavailableException.class);
        assertThat(failure(other, foreign)).isInstanceOf(SecretUnavailableException.class);
        assertThat(failure(account, second)).isNull();
    }

    private Throwable failure(Account opener, UUID id) {
        return destinations.open(opener.workspaceId(), id)
                .invoke(OpenDestination::close)
                .<Throwable> replaceWith(() -> null)
                .onFailure().recoverWithItem(e -> e)
                .await().indefinitely();
    }

    private static UUID create(Client client) {
        return UUID.fromString(client.post(PATH, DestinationBody.valid().json()).path("id"));
    }

    private static void copyCredentials(UUID from, UUID to) {
        DatabaseRows.update(
                "UPDATE export.destinations SET credentials = (SELECT credentials FROM export.destinations WHERE id = '" + from
                        + "') WHERE id = '" + to + "'");
    }
}
