package dev.waybill.controlplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.source.Credential.AccessToken;

class RedactionTest {

    @Test
    void redactsEncodedAndMultiLineSecrets() {
        // Given
        RevisionSpec plan = new RevisionSpec(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), 1, "chat",
                new Commit("https://git.example.com/chat.git", "0", "langgraph.json", new AccessToken("token/of+it"), null,
                        null),
                Map.of("KEY", "-----BEGIN KEY-----\nMIIEvQIBADAN\n-----END KEY-----\n"),
                new ResourceSpec(null, null, null, null, null, null), 0, URI.create("https://chat.example.com"));

        // When
        String redacted = Redaction.of(plan).apply("at line 2:  MIIEvQIBADAN, https://oauth2:token%2Fof%2Bit@git.example.com");

        // Then
        assertThat(redacted).isEqualTo("at line 2:  ***, https://oauth2:***@git.example.com");
    }

    @Test
    void redactsSecretsEscapedAsJson() {
        Redaction redaction = Redaction.of(List.of("{\"key\": \"a\\b\"}"));

        assertThat(redaction.apply("{\"message\": \"{\\\"key\\\": \\\"a\\\\b\\\"}\"}")).isEqualTo("{\"message\": \"***\"}");
    }

    @Test
    void redactsTheBeginningOfASecretAtACut() {
        Redaction redaction = Redaction.of(List.of("aabaabc-hush-hush", "x".repeat(100)));

        assertThat(redaction.applyToCut("token aabaabaabc-hu")).isEqualTo("token aab***");
        assertThat(redaction.applyToCut("token xxxx")).isEqualTo("token ***");
        assertThat(redaction.applyToCut("aabaabc-hush-hush and more")).isEqualTo("*** and more");
        assertThat(redaction.applyToCut("xxx")).isEqualTo("xxx");
        assertThat(redaction.applyToCut("nothing")).isEqualTo("nothing");
        assertThat(redaction.applyToCut("")).isEmpty();
    }
}
