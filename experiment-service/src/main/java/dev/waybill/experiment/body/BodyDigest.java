package dev.waybill.experiment.body;

import java.security.MessageDigest;
import java.util.HexFormat;

import dev.waybill.common.id.Digests;
import dev.waybill.experiment.json.Bytes;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The SHA-256 of a decompressed request body; two requests with the same {@code Idempotency-Key} must have the same digest. */
@RegisterForReflection
public record BodyDigest(String sha256) {

    /** For requests without an {@code Idempotency-Key}. */
    public static final BodyDigest NONE = new BodyDigest("");

    /** Computes the digest of a body in memory; CPU-bound, so not on the event loop. */
    public static BodyDigest of(Body body) {
        MessageDigest digest = Digests.newSha256();
        Bytes content = body.content();
        digest.update(content.array(), content.offset(), content.length());
        return new BodyDigest(HexFormat.of().formatHex(digest.digest()));
    }
}
