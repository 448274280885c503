package dev.waybill.runtime.run;

import java.nio.ByteBuffer;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
import dev.waybill.runtime.storage.RunStorage.Begun;

/**
 * Identity of a run on a thread.
 *
 * @param fingerprint of the client's request, in hexadecimal digits; null without an idempotency key
 */
record RunIdentity(UUID id, @Nullable String fingerprint) {

    private static final long VERSION_8 = 0x8000L;
    private static final long VARIANT = 1L << 63;

    /**
     * Returns the id that an idempotency key has: the same on each replica, and another one for other principals and paths.
     *
     * @param deployment empty without one; traces of runs of two deployments must not have the same id
     */
    static UUID idOf(String deployment, String principal, String path, String key) {
        ByteBuffer hash = ByteBuffer.wrap(Digests.sha256(String.join("\n", deployment, principal, path, key)));
        return new UUID(hash.getLong() & ~0xf000L | VERSION_8, hash.getLong() & ~(3L << 62) | VARIANT);
    }

    /** @throws RunExistsException if the key of this run was used before */
    void requireNew(Begun begun) {
        if (fingerprint != null && begun instanceof Begun.Existing) {
            throw new RunExistsException();
        }
    }
}
