package dev.waybill.common.secret;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

/**
 * Encrypts secrets with AES-256-GCM and binds them to one row of one workspace: a ciphertext that was moved to another row or
 * workspace cannot be decrypted. Each secret has its own key, derived from the master key and a random salt, so the number of
 * secrets per master key is not limited. The ciphertext starts with the id of the master key, which allows key rotation.
 */
@Singleton
public class SecretCipher {

    private static final byte VERSION = 1;
    private static final int SALT = 16;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY = 32;

    private final Map<String, byte[]> keys = new TreeMap<>();
    private final @Nullable String current;
    private final SecureRandom random = new SecureRandom();

    public SecretCipher(EncryptionConfig config) {
        this.current = config.current().orElse(null);
        config.keys().forEach((id, text) -> keys.put(id, key(id, text)));
        if (current != null && !keys.containsKey(current)) {
            throw new IllegalStateException(
                    "waybill.encryption.current is '" + current + "', but waybill.encryption.keys." + current + " is not set");
        }
    }

    /** Returns the id of the key that {@link #encrypt} uses. */
    public String currentKey() {
        if (current == null) {
            throw new IllegalStateException("set waybill.encryption.current and waybill.encryption.keys.<id>");
        }
        return current;
    }

    /** Encrypts {@code secret} for the row {@code row} of the workspace {@code tenantId}. */
    public byte[] encrypt(byte[] secret, UUID tenantId, UUID row) {
        String keyId = currentKey();
        byte[] salt = bytes(SALT);
        byte[] nonce = bytes(NONCE);
        byte[] ciphertext = crypt(Cipher.ENCRYPT_MODE, derive(master(keyId), salt), nonce, context(tenantId, row), secret);
        byte[] name = keyId.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(VERSION);
        out.write(name.length);
        out.writeBytes(name);
        out.writeBytes(salt);
        out.writeBytes(nonce);
        out.writeBytes(ciphertext);
        return out.toByteArray();
    }

    /**
     * Decrypts a ciphertext that {@link #encrypt} created for the same row and workspace.
     *
     * @throws SecretUnavailableException if the key is not configured, or the ciphertext belongs to another row or was modified
     */
    public byte[] decrypt(byte[] ciphertext, UUID tenantId, UUID row) {
        ByteBuffer in = ByteBuffer.wrap(ciphertext);
        if (ciphertext.length < 2 + SALT + NONCE || in.get() != VERSION) {
            throw SecretUnavailableException.damaged("a stored secret has an unknown format", null);
        }
        String keyId = new String(take(in, Byte.toUnsignedInt(in.get())), StandardCharsets.UTF_8);
        byte[] salt = take(in, SALT);
        byte[] nonce = take(in, NONCE);
        return crypt(Cipher.DECRYPT_MODE, derive(master(keyId), salt), nonce, context(tenantId, row), take(in, in.remaining()));
    }

    /** Returns a signature of {@code message} with the current key, which every replica can verify. */
    public byte[] sign(byte[] message) {
        byte[] name = currentKey().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + name.length + KEY)
                .put((byte) name.length)
                .put(name)
                .put(hmac(signingKey(currentKey()), message))
                .array();
    }

    /** Returns whether {@link #sign} created the signature for this message with a key that is still configured. */
    public boolean isSigned(byte[] message, byte[] signature) {
        ByteBuffer in = ByteBuffer.wrap(signature);
        if (!in.hasRemaining()) {
            return false;
        }
        String keyId = new String(take(in, Byte.toUnsignedInt(in.get())), StandardCharsets.UTF_8);
        return keys.containsKey(keyId)
                && MessageDigest.isEqual(hmac(signingKey(keyId), message), take(in, in.remaining()));
    }

    private byte[] signingKey(String keyId) {
        return hmac(master(keyId), "waybill signature\u0001".getBytes(StandardCharsets.UTF_8));
    }

    private byte[] master(String keyId) {
        byte[] key = keys.get(keyId);
        if (key == null) {
            throw SecretUnavailableException.keyMissing(keyId);
        }
        return key;
    }

    private static byte[] crypt(int mode, byte[] key, byte[] nonce, byte[] context, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(context);
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw SecretUnavailableException.damaged(
                    "a stored secret cannot be decrypted: it belongs to another row or was modified",
                    e);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    // HKDF-SHA-256 (RFC 5869), extract and one block of expand.
    private static byte[] derive(byte[] master, byte[] salt) {
        byte[] extracted = hmac(salt, master);
        return hmac(extracted, "waybill secret\u0001".getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM does not support HmacSHA256", e);
        }
    }

    private static byte[] context(UUID tenantId, UUID row) {
        return ByteBuffer.allocate(32)
                .putLong(tenantId.getMostSignificantBits())
                .putLong(tenantId.getLeastSignificantBits())
                .putLong(row.getMostSignificantBits())
                .putLong(row.getLeastSignificantBits())
                .array();
    }

    private static byte[] take(ByteBuffer in, int length) {
        byte[] bytes = new byte[Math.min(length, in.remaining())];
        in.get(bytes);
        return bytes;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] key(String id, String text) {
        try {
            byte[] key = Base64.getDecoder().decode(text.strip());
            if (key.length == KEY) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            // Reported below without the text, which is a secret.
        }
        throw new IllegalStateException("waybill.encryption.keys." + id + " must be 32 random bytes in Base64");
    }
}
