package dev.waybill.common.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.waybill.common.id.Digests;

/**
 * An API key: {@code wb_<8 hex>_<43 base64url>}. The part before the second underscore is the public prefix. Only the SHA-256
 * of the whole key is stored, which is sufficient for 256 random bits.
 */
public final class ApiKey {

    private static final Pattern FORM = Pattern.compile("wb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
    private static final int PREFIX_LENGTH = 11;

    private final String text;

    private ApiKey(String text) {
        this.text = text;
    }

    /** Returns a new key. */
    public static ApiKey generate(SecureRandom random) {
        byte[] prefix = new byte[4];
        byte[] secret = new byte[32];
        random.nextBytes(prefix);
        random.nextBytes(secret);
        return new ApiKey("wb_" + HexFormat.of().formatHex(prefix) + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Parses a key; empty if the text does not have the format of a key. */
    public static Optional<ApiKey> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new ApiKey(text)) : Optional.empty();
    }

    /** Returns the public part, which is unique and may appear in lists and logs. */
    public String prefix() {
        return text.substring(0, PREFIX_LENGTH);
    }

    /** Returns the hash that is stored and compared. */
    public byte[] hash() {
        return Digests.sha256(text);
    }

    /** Returns the key itself, for the single response that contains it. */
    public String reveal() {
        return text;
    }

    /** Returns only the prefix, so that logs never contain the key. */
    @Override
    public String toString() {
        return prefix() + "_***";
    }
}
