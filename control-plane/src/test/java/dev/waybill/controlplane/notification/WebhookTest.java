package dev.waybill.controlplane.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

import org.junit.jupiter.api.Test;

class WebhookTest {

    @Test
    void signatureEqualsPublishedExample() {
        // The example of the Standard Webhooks specification.
        Webhook webhook = new Webhook("https://hooks.example.com", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

        assertThat(webhook.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void decodesWhatItEncodes() {
        Webhook webhook = new Webhook("https://hooks.example.com/ä?token=x", Webhook.newSecret(new SecureRandom()));

        assertThat(Webhook.decode(webhook.encode())).isEqualTo(webhook);
        assertThat(webhook.toString()).doesNotContain("hooks", "whsec");
    }
}
