package dev.waybill.controlplane.revision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.secret.SecretCipher;

/** Encrypts and decrypts the secrets of a deployment or revision, bound to its row. */
@Singleton
public class EnvironmentEncryptor {

    private static final TypeReference<Map<String, String>> ENVIRONMENT = new TypeReference<>() {
    };

    private final SecretCipher cipher;
    private final ObjectMapper json;

    EnvironmentEncryptor(SecretCipher cipher, ObjectMapper json) {
        this.cipher = cipher;
        this.json = json;
    }

    /** Encrypts the secrets for that row; returns null if there are none. */
    public byte @Nullable [] encrypt(Map<String, String> secrets, UUID tenantId, UUID row) {
        if (secrets.isEmpty()) {
            return null;
        }
        try {
            byte[] plain = json.writeValueAsBytes(new TreeMap<>(secrets));
            byte[] encrypted = cipher.encrypt(plain, tenantId, row);
            Arrays.fill(plain, (byte) 0);
            return encrypted;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("secrets cannot be serialized", e);
        }
    }

    /** Decrypts the secrets of that row. */
    public Map<String, String> decrypt(byte @Nullable [] encrypted, UUID tenantId, UUID row) {
        if (encrypted == null) {
            return Map.of();
        }
        byte[] plain = cipher.decrypt(encrypted, tenantId, row);
        try {
            return json.readValue(plain, ENVIRONMENT);
        } catch (IOException e) {
            throw new UncheckedIOException("decrypted secrets are not a JSON object of strings", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }
}
