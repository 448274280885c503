package dev.waybill.export.destination;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import dev.waybill.export.storage.ObjectStore;

/**
 * A destination with the credentials it had when it was opened; later changes do not reach it. Close it.
 *
 * @param keyPrefix what every key begins with: empty, or ends with a slash
 */
public record OpenDestination(UUID id, ObjectStore store, String bucket, String keyPrefix, Capabilities capabilities)
        implements
            AutoCloseable {

    private static final int MAX_KEY_BYTES = 1024;

    /** The key of what is called {@code relative} below the destination's prefix. */
    public String key(String relative) {
        String key = keyPrefix + relative;
        if (relative.isEmpty() || relative.startsWith("/") || ("/" + key + "/").contains("/../")
                || key.getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("not a key below the destination's prefix: " + relative);
        }
        return key;
    }

    @Override
    public void close() {
        store.close();
    }
}
