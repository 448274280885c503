package dev.waybill.experiment.body;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** A request body, decompressed and completely in memory; {@link #release} it after use. */
public final class Body {

    private final BodyBuffer buffer;
    private final AdmissionControl.Permit permit;
    private final @Nullable String contentType;

    Body(BodyBuffer buffer, AdmissionControl.Permit permit, @Nullable String contentType) {
        this.buffer = buffer;
        this.permit = permit;
        this.contentType = contentType;
    }

    /** Returns the content without copying it; valid until the body is released. */
    public Bytes content() {
        return new Bytes(buffer.array(), 0, buffer.length());
    }

    /** Returns the value of the header Content-Type. */
    public Optional<String> contentType() {
        return Optional.ofNullable(contentType);
    }

    /** Releases the memory and the request's permit. */
    public void release() {
        buffer.release();
        permit.close();
    }
}
