package dev.waybill.experiment.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes and reads the cursors of one question. A cursor is the key of the last run of a page with a hash over it and the
 * question: damaged, or sent with another question or by another workspace, it is none. The hash keeps nobody from forging one,
 * and need not: a cursor only says where to go on among the runs that may be seen anyway.
 */
final class RunCursor {

    private static final int KEY = 3 * Long.BYTES;
    private static final int HASH = 16;
    private static final Base64.Encoder WRITER = Base64.getUrlEncoder().withoutPadding();

    private final byte[] question;

    RunCursor(UUID tenantId, RunConditions conditions, boolean descending) {
        this.question = (tenantId + " " + descending + " " + conditions).getBytes(StandardCharsets.UTF_8);
    }

    String write(RunKey key) {
        byte[] place = ByteBuffer.allocate(KEY)
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, key.startTime()))
                .putLong(key.id().getMostSignificantBits())
                .putLong(key.id().getLeastSignificantBits())
                .array();
        return WRITER.encodeToString(ByteBuffer.allocate(KEY + HASH).put(place).put(hash(place)).array());
    }

    /** The key in a cursor; empty when it is no cursor of this question. */
    Optional<RunKey> read(String cursor) {
        byte[] bytes = decode(cursor);
        if (bytes.length != KEY + HASH) {
            return Optional.empty();
        }
        byte[] place = Arrays.copyOf(bytes, KEY);
        if (!MessageDigest.isEqual(hash(place), Arrays.copyOfRange(bytes, KEY, KEY + HASH))) {
            return Optional.empty();
        }
        ByteBuffer key = ByteBuffer.wrap(place);
        return Optional.of(new RunKey(Instant.EPOCH.plus(key.getLong(), ChronoUnit.MICROS),
                new UUID(key.getLong(), key.getLong())));
    }

    private static byte[] decode(String cursor) {
        try {
            return Base64.getUrlDecoder().decode(cursor);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private byte[] hash(byte[] place) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(place);
            return Arrays.copyOf(digest.digest(question), HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
