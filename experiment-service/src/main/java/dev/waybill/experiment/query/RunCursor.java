package dev.waybill.experiment.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.id.Digests;

/**
 * Encodes and decodes the cursors of one query. A cursor holds the key of the last run of a page and a hash of the key
 * and the query, which rejects damaged cursors and those of other queries or workspaces. The hash is not a signature: a
 * forged cursor only changes the start position among runs that the caller may read.
 */
final class RunCursor {

    private static final int KEY_LENGTH = 3 * Long.BYTES;
    private static final int HASH_LENGTH = 16;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final byte[] query;

    RunCursor(UUID tenantId, RunQueryParser.Conditions conditions, boolean descending) {
        this.query = (tenantId + " " + descending + " " + conditions).getBytes(StandardCharsets.UTF_8);
    }

    String encode(RunKey key) {
        byte[] encodedKey = ByteBuffer.allocate(KEY_LENGTH)
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, key.startTime()))
                .putLong(key.id().getMostSignificantBits())
                .putLong(key.id().getLeastSignificantBits())
                .array();
        return ENCODER
                .encodeToString(ByteBuffer.allocate(KEY_LENGTH + HASH_LENGTH).put(encodedKey).put(hash(encodedKey)).array());
    }

    /** Returns the key in a cursor; empty if the cursor is invalid or belongs to another query. */
    Optional<RunKey> decode(String cursor) {
        byte[] bytes = decodeBase64(cursor);
        if (bytes.length != KEY_LENGTH + HASH_LENGTH) {
            return Optional.empty();
        }
        byte[] encodedKey = Arrays.copyOf(bytes, KEY_LENGTH);
        if (!MessageDigest.isEqual(hash(encodedKey), Arrays.copyOfRange(bytes, KEY_LENGTH, KEY_LENGTH + HASH_LENGTH))) {
            return Optional.empty();
        }
        ByteBuffer key = ByteBuffer.wrap(encodedKey);
        return Optional.of(new RunKey(Instant.EPOCH.plus(key.getLong(), ChronoUnit.MICROS),
                new UUID(key.getLong(), key.getLong())));
    }

    private static byte[] decodeBase64(String cursor) {
        try {
            return Base64.getUrlDecoder().decode(cursor);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private byte[] hash(byte[] encodedKey) {
        MessageDigest digest = Digests.newSha256();
        digest.update(encodedKey);
        return Arrays.copyOf(digest.digest(query), HASH_LENGTH);
    }

    /** Sort key of a run for keyset pagination; runs that arrive later do not change it. */
    record RunKey(Instant startTime, UUID id) {
    }
}
