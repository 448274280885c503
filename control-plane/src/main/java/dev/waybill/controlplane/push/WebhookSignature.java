package dev.waybill.controlplane.push;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/** What {@code X-Hub-Signature-256} says: HMAC-SHA-256 of the body, compared in constant time. */
final class WebhookSignature {

    private static final String PREFIX = "sha256=";
    private static final int LENGTH = 64;

    private final byte[] claimed;

    private WebhookSignature(byte[] claimed) {
        this.claimed = claimed;
    }

    /** Empty when the header is not there or says nothing of that form. */
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

    boolean fits(byte[] body, byte[] secret) {
        return MessageDigest.isEqual(claimed, hmac(body, secret));
    }

    private static byte[] hmac(byte[] body, byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
