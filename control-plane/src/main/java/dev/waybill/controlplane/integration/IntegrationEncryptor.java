package dev.waybill.controlplane.integration;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.secret.SecretCipher;
import dev.waybill.controlplane.source.Credential;

/** Keeps what opens an integration's repositories, and what its pushes are signed with, sealed in its row. */
@Singleton
public class IntegrationEncryptor {

    private static final int WEBHOOK_SECRET_BYTES = 32;
    /** Behind it stand the keys of the host, which belong to the key: neither is of use without the other. */
    private static final char END_OF_KEY = '\0';

    private final SecretCipher box;
    private final SecureRandom random = new SecureRandom();

    IntegrationEncryptor(SecretCipher box) {
        this.box = box;
    }

    /** What opens the repositories; null when they are open to everybody. */
    public @Nullable Credential credential(Integration integration) {
        byte[] sealed = integration.credential();
        if (sealed == null) {
            return null;
        }
        String plain = open(sealed, integration);
        String secret = plain.substring(1);
        return plain.charAt(0) == 'k' ? deployKey(secret) : new Credential.AccessToken(secret);
    }

    private static Credential deployKey(String secret) {
        int end = secret.indexOf(END_OF_KEY);
        return end < 0 ? new Credential.DeployKey(secret, "")
                : new Credential.DeployKey(secret.substring(0, end), secret.substring(end + 1));
    }

    /** What pushes are signed with. */
    public byte[] webhookSecret(Integration integration) {
        return open(integration.webhookSecret(), integration).substring(1).getBytes(StandardCharsets.UTF_8);
    }

    byte @Nullable [] seal(@Nullable Credential credential, UUID tenantId, UUID id) {
        return switch (credential) {
            case null -> null;
            case Credential.AccessToken token -> seal('t', token.secret(), tenantId, id);
            case Credential.DeployKey key -> seal('k', key.secret() + END_OF_KEY + key.knownHosts(), tenantId, id);
        };
    }

    String newWebhookSecret() {
        byte[] bytes = new byte[WEBHOOK_SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    byte[] sealWebhookSecret(String secret, UUID tenantId, UUID id) {
        return seal('w', secret, tenantId, id);
    }

    // The kind in front keeps one kind of secret of a row from being taken for another.
    private byte[] seal(char kind, String secret, UUID tenantId, UUID id) {
        return box.seal((kind + secret).getBytes(StandardCharsets.UTF_8), tenantId, id);
    }

    private String open(byte[] sealed, Integration integration) {
        return new String(box.open(sealed, integration.tenantId(), integration.id()), StandardCharsets.UTF_8);
    }
}
