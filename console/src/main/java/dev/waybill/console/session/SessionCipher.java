package dev.waybill.console.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.console.ConsoleConfig;
import dev.waybill.console.service.Credential;

/**
 * Seals sessions with AES-256-GCM: {@code base64url(version, nonce, ciphertext)}; the plain text is expiry, kind and
 * credential.
 */
@Singleton
public class SessionCipher {

    private static final Logger LOG = Logger.getLogger(SessionCipher.class);
    private static final byte VERSION = 2;
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MAX_LENGTH = 4096;
    private static final byte[] PURPOSE = "waybill console session 2".getBytes(StandardCharsets.US_ASCII);

    private final SecureRandom random = new SecureRandom();
    private final List<SecretKey> keys;

    SessionCipher(ConsoleConfig config) {
        List<SecretKey> configured = new ArrayList<>();
        config.session().key().map(key -> decode("waybill.console.session.key", key)).ifPresent(configured::add);
        config.session().previousKey().map(key -> decode("waybill.console.session.previous-key", key))
                .ifPresent(configured::add);
        if (config.session().key().isEmpty()) {
            LOG.info("waybill.console.session.key is not set: sessions end when this process stops");
            byte[] generated = new byte[KEY_BYTES];
            random.nextBytes(generated);
            configured.addFirst(new SecretKeySpec(generated, "AES"));
        }
        this.keys = List.copyOf(configured);
    }

    /** Returns a secret that is derived from the sealing key, so that all replicas have the same one. */
    public String derive(String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(keys.getFirst());
            return HexFormat.of().formatHex(mac.doFinal(("waybill console " + purpose).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC-SHA256 is not available", e);
        }
    }

    /** Returns the value of the cookie. */
    String seal(Session session) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Credential credential = session.credential();
        byte[] value = credential.value().getBytes(StandardCharsets.UTF_8);
        byte[] plain = ByteBuffer.allocate(Long.BYTES + 1 + value.length).putLong(session.expiresAt().getEpochSecond())
                .put(credential.kind().code()).put(value).array();
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.getFirst(), nonce).doFinal(plain);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(ByteBuffer
                    .allocate(1 + NONCE_BYTES + sealed.length).put(VERSION).put(nonce).put(sealed).array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is not available", e);
        }
    }

    /** Returns the session of a cookie's value; empty if no key of this installation sealed it. Does not check the expiry. */
    Optional<Session> open(String value) {
        if (value.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (token.length <= 1 + NONCE_BYTES + TAG_BITS / 8 + Long.BYTES + 1 || token[0] != VERSION) {
            return Optional.empty();
        }
        return keys.stream().flatMap(key -> open(key, token).stream()).findFirst();
    }

    private static Optional<Session> open(SecretKey key, byte[] token) {
        byte[] nonce = Arrays.copyOfRange(token, 1, 1 + NONCE_BYTES);
        try {
            ByteBuffer plain = ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, key, nonce).doFinal(token, 1 + NONCE_BYTES,
                    token.length - 1 - NONCE_BYTES));
            Instant expiresAt = Instant.ofEpochSecond(plain.getLong());
            byte kind = plain.get();
            String value = StandardCharsets.UTF_8.decode(plain).toString();
            return Arrays.stream(Credential.Kind.values()).filter(each -> each.code() == kind).findFirst()
                    .map(found -> new Session(new Credential(found, value), expiresAt));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(PURPOSE);
        return cipher;
    }

    private static SecretKey decode(String property, String text) {
        try {
            byte[] key = Base64.getDecoder().decode(text.strip());
            if (key.length == KEY_BYTES) {
                return new SecretKeySpec(key, "AES");
            }
        } catch (IllegalArgumentException e) {
            LOG.debugf(e, "%s is not base64", property);
        }
        throw new IllegalStateException(property + " must be 32 bytes in base64: openssl rand -base64 32");
    }
}
