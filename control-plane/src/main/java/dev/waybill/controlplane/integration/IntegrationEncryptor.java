package dev.waybill.controlplane.integration;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.secret.SecretCipher;
import dev.waybill.controlplane.source.Credential;

/** Encrypts and decrypts the credential and the webhook secret of an integration, bound to its row. */
@Singleton
public class IntegrationEncryptor {

    private static final int WEBHOOK_SECRET_BYTES = 32;
    /** Separates a deploy key from the host's known keys, which are encrypted together. */
    private static final char SEPARATOR = '\0';

    private final SecretCipher cipher;
    private final SecureRandom random = new SecureRandom();

    IntegrationEncryptor(SecretCipher cipher) {
        this.cipher = cipher;
    }

    /** Decrypts the credential; returns null for public repositories. */
    public @Nullable Credential credential(Integration integration) {
        byte[] encrypted = integration.credential();
        if (encrypted == null) {
            return null;
        }
        String plain = decrypt(encrypted, integration);
        String secret = plain.substring(1);
        return plain.charAt(0) == 'k' ? deployKey(secret) : new Credential.AccessToken(secret);
    }

    private static Credential deployKey(String secret) {
        int end = secret.indexOf(SEPARATOR);
        return end < 0 ? new Credential.DeployKey(secret, "")
                : new Credential.DeployKey(secret.substring(0, end), secret.substring(end + 1));
    }

    /** Decrypts the secret that signs push webhooks. */
    public byte[] webhookSecret(Integration integration) {
        return decrypt(integration.webhookSecret(), integration).substring(1).getBytes(StandardCharsets.UTF_8);
    }

    byte @Nullable [] encrypt(@Nullable Credential credential, UUID tenantId, UUID id) {
        return switch (credential) {
            case null -> null;
            case Credential.AccessToken token -> encrypt('t', token.secret(), tenantId, id);
            case Credential.DeployKey key -> encrypt('k', key.secret() + SEPARATOR + key.knownHosts(), tenantId, id);
        };
    }

    String newWebhookSecret() {
        byte[] bytes = new byte[WEBHOOK_SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    byte[] encryptWebhookSecret(String secret, UUID tenantId, UUID id) {
        return encrypt('w', secret, tenantId, id);
    }

    // The type prefix prevents one secret of a row from being used in place of another.
    private byte[] encrypt(char kind, String secret, UUID tenantId, UUID id) {
        return cipher.encrypt((kind + secret).getBytes(StandardCharsets.UTF_8), tenantId, id);
    }

    private String decrypt(byte[] encrypted, Integration integration) {
        return new String(cipher.decrypt(encrypted, integration.tenantId(), integration.id()), StandardCharsets.UTF_8);
    }
}
