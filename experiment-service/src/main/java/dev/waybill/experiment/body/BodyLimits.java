package dev.waybill.experiment.body;

import java.time.Duration;

import jakarta.inject.Singleton;

/** The intake's limits, for those who announce them. */
@Singleton
public class BodyLimits {

    private final BodyConfig config;

    BodyLimits(BodyConfig config) {
        this.config = config;
    }

    /** The most bytes of one body as it is sent. */
    public long sentBytes() {
        return config.maxBodySize().asLongValue();
    }

    /** The most bytes of one body once it is unpacked. */
    public long unpackedBytes() {
        return config.maxUnpackedSize().asLongValue();
    }

    /** The most requests under way at once. */
    public int requests() {
        return config.requests();
    }

    /** Of these, what one workspace may have. */
    public int requestsOfOne() {
        return Math.max(1, (int) (config.requests() * config.share()));
    }

    /** The most bytes of all bodies under way. */
    public long bytes() {
        return config.memory().asLongValue();
    }

    /** Of these, what one workspace may have. */
    public long bytesOfOne() {
        return (long) (bytes() * config.share());
    }

    /** What clients are told to wait. */
    public Duration pause() {
        return AdmissionControl.PAUSE;
    }
}
