package dev.waybill.common.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An API key: {@code wb_<8 hex>_<43 base64url>}. The part up to the second underscore is its public prefix; of the
 * whole only the SHA-256 is stored, which is enough for 256 random bits (contract.md "Accounts and keys").
 */
public final class ApiKey {

    private static final Pattern FORM = Pattern.compile("wb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
    private static final int PREFIX_LENGTH = 11;

    private final String text;

    private ApiKey(String text) {
        this.text = text;
    }

    /** A new key. */
    public static ApiKey generate(SecureRandom random) {
        byte[] prefix = new byte[4];
        byte[] secret = new byte[32];
        random.nextBytes(prefix);
        random.nextBytes(secret);
        return new ApiKey("wb_" + HexFormat.of().formatHex(prefix) + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** The key that {@code text} is, or empty when it has not the form of one. */
    public static Optional<ApiKey> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new ApiKey(text)) : Optional.empty();
    }

    /** The public part, unique among keys, fit for lists and logs. */
    public String prefix() {
        return text.substring(0, PREFIX_LENGTH);
    }

    /** What is stored and compared. */
    public byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The key itself: only for the one answer that tells it. */
    public String reveal() {
        return text;
    }

    /** The prefix only, so that no log shows a key. */
    @Override
    public String toString() {
        return prefix() + "_***";
    }
}
