package dev.waybill.controlplane.push;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/** The HMAC-SHA-256 of a body from {@code X-Hub-Signature-256}; compared in constant time. */
final class WebhookSignature {

    private static final String PREFIX = "sha256=";
    private static final int LENGTH = 64;

    private final byte[] expected;

    private WebhookSignature(byte[] expected) {
        this.expected = expected;
    }

    /** Returns empty if the header is missing or malformed. */
    static Optional<WebhookSignature> parse(@Nullable String header) {
        if (header == null || !header.startsWith(PREFIX) || header.length() != PREFIX.length() + LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(new WebhookSignature(HexFormat.of().parseHex(header.substring(PREFIX.length()))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    boolean matches(byte[] body, byte[] secret) {
        return MessageDigest.isEqual(expected, hmac(body, secret));
    }

    private static byte[] hmac(byte[] body, byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is required on every Java platform", e);
        }
    }
}
