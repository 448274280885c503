package dev.waybill.controlplane.push;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * A webhook delivery as received.
 *
 * @param id the delivery id that the sender chose; repeated deliveries have the same id
 * @param event the event type; only {@code push} has an effect
 */
record WebhookDelivery(String id, String event, WebhookSignature signature, byte[] body) {

    private static final int MAX_ID_LENGTH = 200;

    /** Fails with 401 without a well-formed signature and 400 without a delivery id. */
    static WebhookDelivery of(@Nullable String id, @Nullable String event, @Nullable String signature, byte @Nullable [] body) {
        WebhookSignature claimed = WebhookSignature.parse(signature)
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

    byte[] sha256() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is required on every Java platform", e);
        }
    }
}
