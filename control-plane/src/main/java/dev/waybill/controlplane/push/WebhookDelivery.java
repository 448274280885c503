package dev.waybill.controlplane.push;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * A webhook delivery as received.
 *
 * @param id the delivery id that the sender chose; repeated deliveries have the same id
 * @param event the event type; only {@code push} has an effect
 * @param signature the claimed signature of the body, from {@code X-Hub-Signature-256}
 */
record WebhookDelivery(String id, String event, byte[] signature, byte[] body) {

    private static final int MAX_ID_LENGTH = 200;
    private static final String SIGNATURE_PREFIX = "sha256=";
    /** Number of hexadecimal digits. */
    private static final int SIGNATURE_LENGTH = 64;

    /** Fails with 401 without a well-formed signature and 400 without a delivery id. */
    static WebhookDelivery of(@Nullable String id, @Nullable String event, @Nullable String signature, byte @Nullable [] body) {
        byte[] claimed = parseSignature(signature)
                .orElseThrow(() -> new ProblemException(CommonProblem.UNAUTHENTICATED,
                        "Send the body's signature in X-Hub-Signature-256, as sha256= and 64 hexadecimal digits."));
        if (id == null || id.isBlank() || id.length() > MAX_ID_LENGTH) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "Send the delivery's id in X-GitHub-Delivery, in at most " + MAX_ID_LENGTH + " characters.");
        }
        return new WebhookDelivery(id, event == null ? "push" : event, claimed, body == null ? new byte[0] : body);
    }

    boolean isPush() {
        return event.equals("push");
    }

    /** Returns whether the signature is the HMAC-SHA-256 of the body with the secret; compares in constant time. */
    boolean isSignedWith(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return MessageDigest.isEqual(signature, mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is required on every Java platform", e);
        }
    }

    private static Optional<byte[]> parseSignature(@Nullable String header) {
        if (header == null || !header.startsWith(SIGNATURE_PREFIX)
                || header.length() != SIGNATURE_PREFIX.length() + SIGNATURE_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(HexFormat.of().parseHex(header.substring(SIGNATURE_PREFIX.length())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    byte[] sha256() {
        return Digests.sha256(body);
    }
}
