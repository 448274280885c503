package dev.waybill.common.id;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes hashes with the algorithms that the JDK always has. */
public final class Digests {

    private Digests() {
    }

    public static byte[] sha256(byte[] content) {
        return newSha256().digest(content);
    }

    /** Returns the SHA-256 of the text in UTF-8. */
    public static byte[] sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the SHA-256 of the text in UTF-8 as hexadecimal digits. */
    public static String sha256Hex(String text) {
        return HexFormat.of().formatHex(sha256(text));
    }

    /** Returns a SHA-256 that is computed in parts. */
    public static MessageDigest newSha256() {
        return digest("SHA-256");
    }

    /** Returns an MD5, which S3 requires for entity tags and {@code Content-MD5}. */
    public static MessageDigest newMd5() {
        return digest("MD5");
    }

    static MessageDigest newSha1() {
        return digest("SHA-1");
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
