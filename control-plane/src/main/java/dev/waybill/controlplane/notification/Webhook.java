package dev.waybill.controlplane.notification;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * URL and secret of a webhook, which are encrypted together.
 *
 * @param secret {@code whsec_} and the key in base64, as in Standard Webhooks
 */
record Webhook(String url, String secret) {

    private static final String PREFIX = "whsec_";
    private static final int SECRET_BYTES = 32;
    private static final char SEPARATOR = '\0';
    private static final String ALGORITHM = "HmacSHA256";

    static String newSecret(SecureRandom random) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    static Webhook decode(byte[] plain) {
        String text = new String(plain, StandardCharsets.UTF_8);
        int end = text.indexOf(SEPARATOR);
        return new Webhook(text.substring(0, end), text.substring(end + 1));
    }

    byte[] encode() {
        return (url + SEPARATOR + secret).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the value of the {@code webhook-signature} header. */
    String signature(String id, long timestampSeconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(PREFIX.length())), ALGORITHM));
            mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    /** Omits both, which are secret. */
    @Override
    public String toString() {
        return "Webhook[***]";
    }
}
