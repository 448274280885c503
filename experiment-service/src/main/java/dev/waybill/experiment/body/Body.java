package dev.waybill.experiment.body;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** A request's body, unpacked and whole in memory; {@link #release} it when it is no longer needed. */
public final class Body {

    private final BodyBuffer bytes;
    private final AdmissionControl.Admitted admitted;
    private final @Nullable String contentType;

    Body(BodyBuffer bytes, AdmissionControl.Admitted admitted, @Nullable String contentType) {
        this.bytes = bytes;
        this.admitted = admitted;
        this.contentType = contentType;
    }

    /** All of it, not a copy; valid until it is released. */
    public Bytes content() {
        return new Bytes(bytes.bytes(), 0, bytes.length());
    }

    /** The header Content-Type. */
    public Optional<String> contentType() {
        return Optional.ofNullable(contentType);
    }

    /** Gives the memory back and lets others in. */
    public void release() {
        bytes.release();
        admitted.leave();
    }
}
