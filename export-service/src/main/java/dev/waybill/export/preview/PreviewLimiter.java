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

/** Lets one preview of a workspace through at a time, and few in all: each reads as fast as PostgreSQL can. */
@Singleton
class PreviewLimiter {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final int most;
    private final Set<UUID> inside = new HashSet<>();

    PreviewLimiter(PreviewConfig config) {
        this.most = config.concurrent();
    }

    /** The work's result, or 429 where it has to wait for others. */
    <T> Uni<T> through(UUID tenantId, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> enter(tenantId)
                ? work.get().onTermination().invoke(() -> leave(tenantId))
                : Uni.createFrom().failure(new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "Another preview is under way; ask again when it has been answered.").retryAfter(PAUSE)));
    }

    private boolean enter(UUID tenantId) {
        synchronized (inside) {
            return inside.size() < most && inside.add(tenantId);
        }
    }

    private void leave(UUID tenantId) {
        synchronized (inside) {
            inside.remove(tenantId);
        }
    }
}
