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

/** Keeps the secrets of a deployment and of each of its revisions sealed in its row. */
@Singleton
public class EnvironmentEncryptor {

    private static final TypeReference<Map<String, String>> ENVIRONMENT = new TypeReference<>() {
    };

    private final SecretCipher box;
    private final ObjectMapper json;

    EnvironmentEncryptor(SecretCipher box, ObjectMapper json) {
        this.box = box;
        this.json = json;
    }

    /** The secrets, sealed for that row; null when there are none. */
    public byte @Nullable [] seal(Map<String, String> secrets, UUID tenantId, UUID row) {
        if (secrets.isEmpty()) {
            return null;
        }
        try {
            byte[] plain = json.writeValueAsBytes(new TreeMap<>(secrets));
            byte[] sealed = box.seal(plain, tenantId, row);
            Arrays.fill(plain, (byte) 0);
            return sealed;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("secrets are plain text members", e);
        }
    }

    /** What was sealed for that row. */
    public Map<String, String> open(byte @Nullable [] sealed, UUID tenantId, UUID row) {
        if (sealed == null) {
            return Map.of();
        }
        byte[] plain = box.open(sealed, tenantId, row);
        try {
            return json.readValue(plain, ENVIRONMENT);
        } catch (IOException e) {
            throw new UncheckedIOException("sealed secrets have an unknown form", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }
}
