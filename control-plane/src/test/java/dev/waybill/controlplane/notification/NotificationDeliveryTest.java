package dev.waybill.controlplane.notification;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.notification.WebhookReceiver.Received;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Events reach webhooks over TLS and a mail server over SMTP. */
@QuarkusTest
class NotificationDeliveryTest {

    private static final String PATH = "/v1/notification-rules";

    private final Account account = Deployments.account();
    private final WebhookReceiver receiver = new WebhookReceiver();

    @Inject
    InMemoryEngine engine;

    @ConfigProperty(name = "quarkus.mailer.port")
    int smtpPort;

    private GreenMail mail;

    @BeforeEach
    void prepareMailServer() {
        mail = new GreenMail(new ServerSetup(smtpPort, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    }

    @AfterEach
    void close() {
        receiver.close();
        mail.stop();
    }

    @Test
    void failedRevisionIsPostedWithSignature() {
        // Given
        HttpResult rule = webhook("revision.failed");

        // When
        UUID deployment = failedDeployment();

        // Then
        Patience.await().until(() -> receiver.received().size() == 1);
        Received received = receiver.received().getFirst();
        JsonObject body = new JsonObject(received.body());
        JsonObject data = body.getJsonObject("data");
        assertThat(body.getString("type")).isEqualTo("revision.failed");
        assertThat(data.getString("deployment_id")).isEqualTo(deployment.toString());
        assertThat(data.getString("message")).isEqualTo("The build is broken; repair it.");
        assertThat(data.getString("url"))
                .isEqualTo("https://console.example.com/w/" + account.workspaceId() + "/deployments/" + deployment);
        String id = received.headers().get("webhook-id");
        assertThat(received.headers().get("webhook-signature")).isEqualTo(new Webhook("", rule.text("webhook_secret"))
                .signature(id, Long.parseLong(received.headers().get("webhook-timestamp")),
                        received.body().getBytes(StandardCharsets.UTF_8)));
        HttpResult delivered = awaitDelivery(rule.id(), "delivered");
        assertThat(delivered.text("resources[0].id")).isEqualTo(id);
        assertThat(delivered.value("resources[0].attempts")).isEqualTo(1);
        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void failedAttemptIsRepeatedWithSameId() {
        // Given
        HttpResult rule = webhook("export.failed");
        receiver.fail(1);

        // When
        as(account).post(PATH + "/" + rule.id() + "/test", "");

        // Then
        HttpResult retried = Patience.await().until(() -> deliveries(rule.id()),
                found -> "response status 500".equals(found.text("resources[0].error")));
        assertThat(retried.text("resources[0].status")).isEqualTo("pending");
        assertThat(retried.text("resources[0].next_attempt_at")).isNotNull();
        DatabaseInspector.update("UPDATE account.notification_deliveries SET next_attempt_at = now() WHERE tenant_id = '"
                + account.workspaceId() + "'");
        assertThat(awaitDelivery(rule.id(), "delivered").value("resources[0].attempts")).isEqualTo(2);
        assertThat(receiver.received()).hasSize(2)
                .extracting(received -> received.headers().get("webhook-id")).containsOnly(retried.text("resources[0].id"));
    }

    @Test
    void deliveryFailsAfterADay() {
        // Given
        HttpResult rule = webhook("export.failed");
        receiver.close();
        UUID id = UUID.fromString(as(account).post(PATH + "/" + rule.id() + "/test", "").text("id"));
        Patience.await().until(() -> deliveries(rule.id()), found -> found.text("resources[0].error") != null);

        // When
        DatabaseInspector.update("UPDATE account.notification_deliveries SET created_at = now() - interval '1 day',"
                + " next_attempt_at = now() WHERE id = '" + id + "'");

        // Then
        HttpResult failed = awaitDelivery(rule.id(), "failed");
        assertThat(failed.text("resources[0].error")).contains("refused");
        assertThat(failed.value("resources[0].next_attempt_at")).isNull();
    }

    @Test
    void disabledRuleFailsPendingDeliveries() {
        // Given
        HttpResult rule = webhook("revision.failed");
        receiver.fail(Integer.MAX_VALUE);
        as(account).post(PATH + "/" + rule.id() + "/test", "");
        Patience.await().until(() -> deliveries(rule.id()), found -> found.text("resources[0].error") != null);

        // When
        as(account).patch(PATH + "/" + rule.id(), "{\"enabled\": false}");
        failedDeployment();

        // Then
        HttpResult found = deliveries(rule.id());
        assertThat(found.list("resources.status", String.class)).containsExactly("failed");
        assertThat(found.text("resources[0].error")).isEqualTo("the rule was disabled");
        assertThat(as(account).post(PATH + "/" + rule.id() + "/test", "").status()).isEqualTo(409);
    }

    @Test
    void changedSecretSignsLaterAttempts() {
        // Given
        HttpResult rule = webhook("export.failed");
        String secret = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=";

        // When
        assertThat(as(account).patch(PATH + "/" + rule.id(), "{\"webhook_secret\": \"" + secret + "\"}").status())
                .isEqualTo(200);
        as(account).post(PATH + "/" + rule.id() + "/test", "");
        awaitDelivery(rule.id(), "delivered");

        // Then
        Received received = receiver.received().getFirst();
        assertThat(received.headers().get("webhook-signature")).isEqualTo(new Webhook("", secret).signature(
                received.headers().get("webhook-id"), Long.parseLong(received.headers().get("webhook-timestamp")),
                received.body().getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void failedRevisionIsSentByEmail() {
        // Given
        mail.start();
        String recipient = "team-" + account.workspaceId() + "@example.com";
        HttpResult rule = as(account).post(PATH, """
                {"name": "Team", "events": ["revision.failed"], "email_to": ["%s", "copy-%s"]}""".formatted(recipient,
                recipient));
        assertThat(rule.status()).as(rule.body()).isEqualTo(201);

        // When
        UUID deployment = failedDeployment();
        awaitDelivery(rule.id(), "delivered");

        // Then
        List<MimeMessage> received = messagesTo(recipient);
        assertThat(received).hasSize(2).allSatisfy(message -> {
            assertThat(message.getSubject()).startsWith("[Waybill] A revision of agent-").endsWith(" failed");
            assertThat(message.getFrom()[0].toString()).isEqualTo("Waybill <waybill@example.com>");
            assertThat(GreenMailUtil.getBody(message)).contains("The build is broken; repair it.",
                    "/deployments/" + deployment);
            assertThat(message.getHeader("Message-ID")).hasSize(1);
        });
    }

    @Test
    void unavailableMailServerIsRetried() {
        // Given
        HttpResult rule = as(account).post(PATH, """
                {"name": "Team", "events": ["revision.failed"], "email_to": ["late-%s@example.com"]}"""
                .formatted(account.workspaceId()));

        // When
        as(account).post(PATH + "/" + rule.id() + "/test", "");
        Patience.await().until(() -> deliveries(rule.id()), found -> found.text("resources[0].error") != null);
        mail.start();
        DatabaseInspector.update("UPDATE account.notification_deliveries SET next_attempt_at = now() WHERE tenant_id = '"
                + account.workspaceId() + "'");

        // Then
        awaitDelivery(rule.id(), "delivered");
        assertThat(messagesTo("late-" + account.workspaceId() + "@example.com")).hasSize(1);
    }

    @Test
    @Tag("full")
    void mailIsSentAgainAfterTheServerWasSilent() throws IOException {
        // Given
        String recipient = "silent-" + account.workspaceId() + "@example.com";
        HttpResult rule = as(account).post(PATH, """
                {"name": "Team", "events": ["revision.failed"], "email_to": ["%s"]}""".formatted(recipient));
        try (ServerSocket silent = new ServerSocket(smtpPort, 50, InetAddress.getByName("127.0.0.1"))) {
            as(account).post(PATH + "/" + rule.id() + "/test", "");
            HttpResult failed = Patience.await().until(() -> deliveries(rule.id()),
                    found -> found.text("resources[0].error") != null);
            assertThat(failed.text("resources[0].error")).startsWith("the mail server did not respond within");
            try (Socket accepted = silent.accept()) {
                assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            }
        }

        // When
        mail.start();
        DatabaseInspector.update("UPDATE account.notification_deliveries SET next_attempt_at = now() WHERE tenant_id = '"
                + account.workspaceId() + "'");

        // Then
        awaitDelivery(rule.id(), "delivered");
        assertThat(messagesTo(recipient)).hasSize(1);
    }

    private HttpResult webhook(String event) {
        HttpResult created = as(account).post(PATH, """
                {"name": "Hook", "events": ["%s"], "webhook_url": "%s"}""".formatted(event, receiver.url()));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        return created;
    }

    private UUID failedDeployment() {
        String name = Deployments.newName();
        engine.script(name).prepare(new Outcome.Failed("The build is broken; repair it.", false));
        HttpResult created = Deployments.create(account, name);
        Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "BUILD_FAILED");
        return created.id();
    }

    private HttpResult deliveries(UUID rule) {
        return as(account).get(PATH + "/" + rule + "/deliveries");
    }

    private HttpResult awaitDelivery(UUID rule, String status) {
        return Patience.await().until(() -> deliveries(rule), found -> status.equals(found.text("resources[0].status")));
    }

    private List<MimeMessage> messagesTo(String recipient) {
        return Arrays.stream(mail.getReceivedMessages())
                .filter(message -> {
                    try {
                        return Arrays.stream(message.getAllRecipients()).anyMatch(to -> to.toString().equals(recipient));
                    } catch (MessagingException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }
}
