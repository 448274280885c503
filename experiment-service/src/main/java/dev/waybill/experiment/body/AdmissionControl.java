package dev.waybill.experiment.body;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * Admission control for requests with large bodies (docs/decisions/0029). A request is admitted before its body is read, or
 * rejected with 429. All requests together and each workspace are limited in number and in memory; a workspace's only
 * request may use all free memory, so that the largest bodies can always be sent.
 */
public final class AdmissionControl {

    /** Value of {@code Retry-After}. */
    public static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Limits limits;
    private final Map<UUID, WorkspaceUsage> usages = new HashMap<>();
    private final Map<RejectionReason, Long> rejected = new EnumMap<>(RejectionReason.class);
    private int requests;
    private long bytes;

    AdmissionControl(Limits limits) {
        this.limits = limits;
    }

    /** Limits of concurrent requests and of the bytes of their bodies, in all and for one workspace. */
    public record Limits(int maxRequests, int maxRequestsPerWorkspace, long maxBytes, long maxBytesPerWorkspace) {

        /** Returns the configured limits. */
        public static Limits of(IntakeConfig config) {
            long maxBytes = config.maxMemory().asLongValue();
            return new Limits(config.maxConcurrentRequests(),
                    Math.max(1, (int) (config.maxConcurrentRequests() * config.maxWorkspaceShare())),
                    maxBytes, (long) (maxBytes * config.maxWorkspaceShare()));
        }
    }

    /** Why a request is rejected; the metric {@code waybill.intake.rejected} counts by these names. */
    enum RejectionReason {
        MEMORY("The request bodies in progress use all memory that is reserved for them"),
        WORKSPACE_MEMORY("The request bodies in progress of this workspace use all memory that one workspace may use"),
        REQUESTS("The service has reached its limit of concurrent requests"),
        WORKSPACE_REQUESTS("This workspace has reached its limit of concurrent requests");

        private final String message;

        RejectionReason(String message) {
            this.message = message;
        }
    }

    /**
     * Admits a request; the caller closes the permit.
     *
     * @param contentLength the request's Content-Length; 0 if it has none
     * @throws ProblemException 429 if a limit is reached
     */
    synchronized Permit admit(UUID workspace, long contentLength) {
        WorkspaceUsage usage = usages.computeIfAbsent(workspace, ignored -> new WorkspaceUsage());
        usage.requests++;
        requests++;
        Permit permit = new Permit(workspace, usage);
        try {
            if (requests > limits.maxRequests()) {
                throw rejection(RejectionReason.REQUESTS, limits.maxRequests());
            }
            if (usage.requests > limits.maxRequestsPerWorkspace()) {
                throw rejection(RejectionReason.WORKSPACE_REQUESTS, limits.maxRequestsPerWorkspace());
            }
            check(usage, contentLength);
            return permit;
        } catch (ProblemException e) {
            permit.close();
            throw e;
        }
    }

    synchronized int requests() {
        return requests;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized long rejected(RejectionReason reason) {
        return rejected.getOrDefault(reason, 0L);
    }

    private void check(WorkspaceUsage usage, long additional) {
        if (bytes + additional > limits.maxBytes()) {
            throw rejection(RejectionReason.MEMORY, limits.maxBytes());
        }
        if (usage.requests > 1 && usage.bytes + additional > limits.maxBytesPerWorkspace()) {
            throw rejection(RejectionReason.WORKSPACE_MEMORY, limits.maxBytesPerWorkspace());
        }
    }

    private ProblemException rejection(RejectionReason reason, long limit) {
        rejected.merge(reason, 1L, Long::sum);
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS, reason.message + " (" + limit
                + "); retry after the time in Retry-After, or send fewer or smaller requests concurrently (GET /info returns the limits).")
                .with("reason", reason.name().toLowerCase(Locale.ROOT))
                .with("limit", limit)
                .retryAfter(RETRY_AFTER);
    }

    /** The requests in progress and reserved bytes of one workspace. */
    private static final class WorkspaceUsage {
        private int requests;
        private long bytes;
    }

    /** An admitted request. */
    final class Permit {

        private final UUID workspace;
        private final WorkspaceUsage usage;
        private boolean closed;

        private Permit(UUID workspace, WorkspaceUsage usage) {
            this.workspace = workspace;
            this.usage = usage;
        }

        /** Reserves memory for the body; 429 if a limit is reached. */
        void reserve(long additional) {
            synchronized (AdmissionControl.this) {
                check(usage, additional);
                usage.bytes += additional;
                bytes += additional;
            }
        }

        /** Releases reserved memory. */
        void release(long released) {
            synchronized (AdmissionControl.this) {
                usage.bytes -= released;
                bytes -= released;
                removeIfIdle();
            }
        }

        /** Ends the request; idempotent. Reserved memory is released separately. */
        void close() {
            synchronized (AdmissionControl.this) {
                if (!closed) {
                    closed = true;
                    usage.requests--;
                    requests--;
                    removeIfIdle();
                }
            }
        }

        private void removeIfIdle() {
            if (usage.requests == 0 && usage.bytes == 0) {
                usages.remove(workspace, usage);
            }
        }
    }
}
