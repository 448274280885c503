package dev.waybill.controlplane.push;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * A delivery of a webhook, as it came.
 *
 * @param id what its sender calls it: the same again is the same delivery
 * @param event what kind it is; only pushes matter
 */
record WebhookDelivery(String id, String event, WebhookSignature signature, byte[] body) {

    private static final int LONGEST_ID = 200;

    /** 401 without a signature, 400 without a name. */
    static WebhookDelivery of(@Nullable String id, @Nullable String event, @Nullable String signature, byte @Nullable [] body) {
        WebhookSignature claimed = WebhookSignature.parse(signature)
                .orElseThrow(() -> new ProblemException(CommonProblem.UNAUTHENTICATED,
                        "Send the body's signature in X-Hub-Signature-256, as sha256= and 64 hexadecimal digits."));
        if (id == null || id.isBlank() || id.length() > LONGEST_ID) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "Name the delivery in X-GitHub-Delivery, in at most " + LONGEST_ID + " characters.");
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
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
