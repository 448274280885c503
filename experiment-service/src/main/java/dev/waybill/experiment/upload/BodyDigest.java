package dev.waybill.experiment.upload;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** What makes two uploads the same request: the SHA-256 of their unpacked bodies. */
@RegisterForReflection
public record BodyDigest(String sha256) {

    /** For requests that are not to be compared. */
    static final BodyDigest NONE = new BodyDigest("");
}
