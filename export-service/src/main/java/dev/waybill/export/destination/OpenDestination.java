package dev.waybill.export.destination;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.ObjectStore;

/**
 * A destination with the credentials at the time of opening; later changes do not affect it. The caller closes it.
 *
 * @param endpointUrl null for AWS
 * @param keyPrefix the prefix of every key: empty, or with a trailing slash
 */
public record OpenDestination(UUID id, ObjectStore store, String bucket, @Nullable String endpointUrl,
        @Nullable String region, String keyPrefix, Capabilities capabilities)
        implements
            AutoCloseable {

    private static final int MAX_KEY_BYTES = 1024;

    /** Returns the key of {@code relative} below the destination's prefix. */
    public String key(String relative) {
        String key = keyPrefix + relative;
        if (relative.isEmpty() || relative.startsWith("/") || ("/" + key + "/").contains("/../")
                || key.getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("invalid key below the destination's prefix: " + relative);
        }
        return key;
    }

    @Override
    public void close() {
        store.close();
    }

    /**
     * The optional operations that a destination's credentials allow, as found by the last validation (interface.md 4.2 rule
     * 4).
     *
     * @param read required to verify the size of written objects
     * @param delete required to remove the test object and invalid objects
     * @param abort required to remove the parts of abandoned uploads
     * @param listUploads required to find abandoned uploads
     */
    public record Capabilities(boolean read, boolean delete, boolean abort, boolean listUploads) {
    }
}
