package dev.waybill.experiment.body;

import java.time.Duration;

import jakarta.inject.Singleton;

/** The configured limits of request bodies, also for other packages. */
@Singleton
public class BodyLimits {

    private final BodyConfig config;

    BodyLimits(BodyConfig config) {
        this.config = config;
    }

    /** Maximum size of one body as sent, in bytes. */
    public long maxBodySize() {
        return config.maxBodySize().asLongValue();
    }

    /** Maximum size of one body after decompression, in bytes. */
    public long maxDecompressedSize() {
        return config.maxDecompressedSize().asLongValue();
    }

    /** Maximum number of concurrent requests. */
    public int maxConcurrentRequests() {
        return config.maxConcurrentRequests();
    }

    /** Maximum number of concurrent requests of one workspace. */
    public int maxConcurrentRequestsPerWorkspace() {
        return Math.max(1, (int) (config.maxConcurrentRequests() * config.maxWorkspaceShare()));
    }

    /** Maximum memory of all bodies, in bytes. */
    public long maxMemory() {
        return config.maxMemory().asLongValue();
    }

    /** Maximum memory of the bodies of one workspace, in bytes. */
    public long maxMemoryPerWorkspace() {
        return (long) (maxMemory() * config.maxWorkspaceShare());
    }

    /** Returns the value of {@code Retry-After} for rejected requests. */
    public Duration retryAfter() {
        return AdmissionControl.RETRY_AFTER;
    }
}
