package dev.waybill.controlplane.thread;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The form in which PostgreSQL stores passwords (RFC 5803); it does not reveal the password. */
final class ScramVerifier {

    private static final int ITERATIONS = 4096;
    private static final int SALT_BYTES = 16;
    private static final String HMAC = "HmacSHA256";

    private ScramVerifier() {
    }

    /** Returns the verifier of an ASCII password, with a new salt. */
    static String of(String password, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        try {
            byte[] salted = saltedPassword(password.getBytes(StandardCharsets.US_ASCII), salt);
            byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(hmac(salted, "Client Key"));
            return "SCRAM-SHA-256$" + ITERATIONS + ":" + base64(salt) + "$" + base64(storedKey) + ":"
                    + base64(hmac(salted, "Server Key"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    /** Returns Hi(password, salt, iterations) of RFC 5802. */
    private static byte[] saltedPassword(byte[] password, byte[] salt) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(HMAC);
        mac.init(new SecretKeySpec(password, HMAC));
        mac.update(salt);
        byte[] block = mac.doFinal(new byte[] { 0, 0, 0, 1 });
        byte[] result = block.clone();
        for (int i = 1; i < ITERATIONS; i++) {
            block = mac.doFinal(block);
            for (int j = 0; j < result.length; j++) {
                result[j] ^= block[j];
            }
        }
        return result;
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(HMAC);
        mac.init(new SecretKeySpec(key, HMAC));
        return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
