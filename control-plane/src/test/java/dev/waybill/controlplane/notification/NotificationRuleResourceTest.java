package dev.waybill.controlplane.notification;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.LogLines;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

/** Notification rules over HTTP (docs/notifications.md). */
@QuarkusTest
class NotificationRuleResourceTest {

    private static final String PATH = "/v1/notification-rules";
    private static final String WEBHOOK = """
            {"name": "Exports", "events": ["export.failed", "schedule.paused"],
             "webhook_url": "https://93.184.215.14:8443/services/canary-of-notifications?token=canary-of-notifications"}""";
    private static final String EMAIL = """
            {"name": "Team", "events": ["revision.failed"], "email_to": ["team@example.com", "o'hara+x@example.com"]}""";

    private final Account account = Accounts.account().create();

    @Test
    void webhookAndSecretAreReturnedOnceOrNever() {
        try (LogLines log = LogLines.listen()) {
            // When
            HttpResult created = as(account).post(PATH, WEBHOOK);
            String secret = created.text("webhook_secret");
            HttpResult read = as(account).get(PATH + "/" + created.id());

            // Then
            assertThat(created.status()).as(created.body()).isEqualTo(201);
            assertThat(secret).startsWith("whsec_").hasSize(50);
            assertThat(read.text("webhook_origin")).isEqualTo("https://93.184.215.14:8443");
            assertThat(read.list("events", String.class)).containsExactly("export.failed", "schedule.paused");
            assertThat(read.value("email_to")).isNull();
            assertThat(read.value("enabled")).isEqualTo(true);
            assertThat(Stream.of(created.body(), read.body(), as(account).get(PATH).body()))
                    .noneMatch(body -> body.contains("canary-of-notifications"));
            assertThat(Stream.of(read.body(), as(account).get(PATH).body())).noneMatch(body -> body.contains("whsec_"));
            assertThat(DatabaseInspector.everything("account"))
                    .noneMatch(row -> row.contains("canary-of-notifications") || row.contains(secret));
            assertThat(log.lines()).noneMatch(line -> line.contains("canary-of-notifications") || line.contains(secret));
        }
    }

    @Test
    void changesApplyToTheirMembersOnly() {
        // Given
        UUID id = as(account).post(PATH, EMAIL).id();

        // When
        HttpResult renamed = as(account).patch(PATH + "/" + id, "{\"name\": \"Renamed\", \"enabled\": false}");
        HttpResult moved = as(account).patch(PATH + "/" + id, "{\"email_to\": [\"other@example.com\"]}");

        // Then
        assertThat(renamed.text("name")).isEqualTo("Renamed");
        assertThat(renamed.list("email_to", String.class)).containsExactly("team@example.com", "o'hara+x@example.com");
        assertThat(moved.list("email_to", String.class)).containsExactly("other@example.com");
        assertThat(moved.value("enabled")).isEqualTo(false);
        assertThat(as(account).delete(PATH + "/" + id).status()).isEqualTo(204);
        assertThat(as(account).delete(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(as(account).get(PATH + "/" + id).status()).isEqualTo(404);
    }

    @Test
    void allViolationsAreReportedTogether() {
        // When
        HttpResult nothing = as(account).post(PATH, "{\"name\": \" \", \"events\": []}");
        HttpResult both = as(account).post(PATH, """
                {"name": "x", "events": ["export.failed", "unknown"], "webhook_url": "http://hooks.example.com",
                 "email_to": ["no address", "team@elsewhere.example"]}""");

        // Then
        assertThat(nothing.status()).isEqualTo(422);
        assertThat(nothing.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("name"), List.of("events"),
                List.of("webhook_url"));
        assertThat(both.status()).isEqualTo(422);
        assertThat(both.body()).contains("must begin with https://", "create two rules", "must be an e-mail address",
                "must be in one of the domains [example.com]", "must be one of export.failed");
    }

    @Test
    void channelsOfARuleCannotBeExchanged() {
        // Given
        UUID webhook = as(account).post(PATH, WEBHOOK).id();
        UUID email = as(account).post(PATH, EMAIL).id();

        // When
        HttpResult toEmail = as(account).patch(PATH + "/" + webhook, "{\"email_to\": [\"team@example.com\"]}");
        HttpResult toWebhook = as(account).patch(PATH + "/" + email,
                "{\"webhook_url\": \"https://93.184.215.14/x\", \"webhook_secret\": \"whsec_" + "A".repeat(32) + "\"}");

        // Then
        assertThat(toEmail.list("errors.loc", List.class)).containsExactly(List.of("email_to"));
        assertThat(toWebhook.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("webhook_url"),
                List.of("webhook_secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://127.0.0.1/x", "https://169.254.169.254/latest", "https://[::1]/x", "file:///etc/passwd",
            "https://user:pw@hooks.example.com/", "https://hooks.example.com/#x", "https://hooks.example.com:22/", "" })
    void unsafeUrlsAreRejected(String url) {
        assertThat(as(account).post(PATH, WEBHOOK.replaceAll("https:[^\"]*", url)).list("errors.loc", List.class))
                .containsExactly(List.of("webhook_url"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "a@b@example.com", "a\\r\\nBcc: x@example.com", "<a@example.com>", "a@example.com, b@example.com",
            "@example.com" })
    void unsafeAddressesAreRejected(String address) {
        HttpResult rejected = as(account).post(PATH, EMAIL.replace("team@example.com", address));

        assertThat(rejected.status()).isEqualTo(422);
        assertThat(rejected.body()).contains("must be an e-mail address");
    }

    @Test
    void numberOfRulesIsLimited() {
        for (int number = 0; number < 20; number++) {
            assertThat(as(account).post(PATH, EMAIL).status()).isEqualTo(201);
        }

        HttpResult rejected = as(account).post(PATH, EMAIL);

        assertThat(rejected.status()).isEqualTo(409);
        assertThat(rejected.detail()).contains("20 notification rules");
    }

    @Test
    void membersReadAndAdminsChange() {
        // Given
        Account member = Accounts.account().role("member").create();

        // When / Then
        assertThat(as(member).get(PATH).status()).isEqualTo(200);
        UUID unknown = UUID.randomUUID();
        assertThat(List.of(as(member).post(PATH, EMAIL).status(), as(member).patch(PATH + "/" + unknown, "{}").status(),
                as(member).delete(PATH + "/" + unknown).status(), as(member).post(PATH + "/" + unknown + "/test", "").status()))
                .containsOnly(403);
    }

    @Test
    void rulesOfOtherWorkspacesDoNotExist() {
        // Given
        Account other = Accounts.account().create();
        String rule = PATH + "/" + as(other).post(PATH, EMAIL).id();

        // When / Then
        assertThat(as(account).get(PATH).body()).isEqualTo("[]");
        assertThat(List.of(as(account).get(rule).status(), as(account).patch(rule, "{\"name\": \"x\"}").status(),
                as(account).delete(rule).status(), as(account).get(rule + "/deliveries").status(),
                as(account).post(rule + "/test", "").status())).containsOnly(404);
        assertThat(as(other).get(rule).text("name")).isEqualTo("Team");
    }
}
