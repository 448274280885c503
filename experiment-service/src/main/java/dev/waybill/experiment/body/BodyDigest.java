package dev.waybill.experiment.body;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** What makes two requests with large bodies the same: the SHA-256 of their unpacked bodies. */
@RegisterForReflection
public record BodyDigest(String sha256) {

    /** For requests that are not to be compared. */
    public static final BodyDigest NONE = new BodyDigest("");

    /** Of a body that is in memory; takes as long as reading it. */
    public static BodyDigest of(Body body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Bytes content = body.content();
            digest.update(content.array(), content.offset(), content.length());
            return new BodyDigest(HexFormat.of().formatHex(digest.digest()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
