package dev.waybill.export.preview;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

/**
 * Limits concurrent previews to one per workspace and a maximum per replica, because each reads as fast as PostgreSQL allows.
 */
@Singleton
class PreviewLimiter {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final int maxConcurrent;
    private final Set<UUID> running = new HashSet<>();

    PreviewLimiter(PreviewConfig config) {
        this.maxConcurrent = config.maxConcurrent();
    }

    /** Runs the work, or fails with 429 if a limit is reached. */
    <T> Uni<T> run(UUID tenantId, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> acquire(tenantId)
                ? work.get().onTermination().invoke(() -> release(tenantId))
                : Uni.createFrom().failure(new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "Another preview is in progress; retry when it has ended.").retryAfter(RETRY_AFTER)));
    }

    private boolean acquire(UUID tenantId) {
        synchronized (running) {
            return running.size() < maxConcurrent && running.add(tenantId);
        }
    }

    private void release(UUID tenantId) {
        synchronized (running) {
            running.remove(tenantId);
        }
    }
}
