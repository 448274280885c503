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
 * Who may hold how much of the intake's memory (docs/decisions/0029). A request is let in before its body is read, or told to
 * come
 * back; all are bounded together, and what one workspace may take is bounded below that, so that the others always find room. A
 * workspace's only request may take whatever is free, or the largest bodies would never get in.
 */
final class AdmissionControl {

    /** What clients are told to wait. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final int maxRequests;
    private final int maxRequestsOfOne;
    private final long maxBytes;
    private final long maxBytesOfOne;
    private final Map<UUID, Load> loads = new HashMap<>();
    private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
    private int requests;
    private long bytes;

    AdmissionControl(int maxRequests, int maxRequestsOfOne, long maxBytes, long maxBytesOfOne) {
        this.maxRequests = maxRequests;
        this.maxRequestsOfOne = maxRequestsOfOne;
        this.maxBytes = maxBytes;
        this.maxBytesOfOne = maxBytesOfOne;
    }

    /** Why a request is refused; counted under these names. */
    enum Refusal {
        MEMORY("The service is taking in as much as its memory allows"),
        WORKSPACE_MEMORY("This workspace is sending as much at once as one may"),
        REQUESTS("The service has as many requests under way as it takes at once"),
        WORKSPACE_REQUESTS("This workspace has as many requests under way as one may have");

        private final String sentence;

        Refusal(String sentence) {
            this.sentence = sentence;
        }
    }

    /**
     * Lets a request in; whoever it is for leaves in the end.
     *
     * @param announced how many bytes it says it has; 0 when it does not say
     * @throws ProblemException 429 when there is no room for it
     */
    synchronized Admitted enter(UUID workspace, long announced) {
        Load load = loads.computeIfAbsent(workspace, ignored -> new Load());
        load.requests++;
        requests++;
        Admitted admitted = new Admitted(workspace, load);
        try {
            if (requests > maxRequests) {
                throw refusal(Refusal.REQUESTS, maxRequests);
            }
            if (load.requests > maxRequestsOfOne) {
                throw refusal(Refusal.WORKSPACE_REQUESTS, maxRequestsOfOne);
            }
            check(load, announced);
            return admitted;
        } catch (ProblemException e) {
            admitted.leave();
            throw e;
        }
    }

    synchronized int requests() {
        return requests;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized long refused(Refusal reason) {
        return refused.getOrDefault(reason, 0L);
    }

    private void check(Load load, long more) {
        if (bytes + more > maxBytes) {
            throw refusal(Refusal.MEMORY, maxBytes);
        }
        if (load.requests > 1 && load.bytes + more > maxBytesOfOne) {
            throw refusal(Refusal.WORKSPACE_MEMORY, maxBytesOfOne);
        }
    }

    private ProblemException refusal(Refusal reason, long limit) {
        refused.merge(reason, 1L, Long::sum);
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS, reason.sentence + " (" + limit
                + "); send the same again after the pause that Retry-After names, or fewer at once (GET /info announces the limits).")
                .with("reason", reason.name().toLowerCase(Locale.ROOT))
                .with("limit", limit)
                .retryAfter(PAUSE);
    }

    /** What a workspace has under way. */
    private static final class Load {
        private int requests;
        private long bytes;
    }

    /** A request that was let in. */
    final class Admitted {

        private final UUID workspace;
        private final Load load;
        private boolean gone;

        private Admitted(UUID workspace, Load load) {
            this.workspace = workspace;
            this.load = load;
        }

        /** Takes memory for its body; 429 when there is none. */
        void reserve(long more) {
            synchronized (AdmissionControl.this) {
                check(load, more);
                load.bytes += more;
                bytes += more;
            }
        }

        /** Gives memory back. */
        void release(long less) {
            synchronized (AdmissionControl.this) {
                load.bytes -= less;
                bytes -= less;
                forgetIfIdle();
            }
        }

        /** Ends it; may be called again. Its memory is given back apart from that. */
        void leave() {
            synchronized (AdmissionControl.this) {
                if (!gone) {
                    gone = true;
                    load.requests--;
                    requests--;
                    forgetIfIdle();
                }
            }
        }

        private void forgetIfIdle() {
            if (load.requests == 0 && load.bytes == 0) {
                loads.remove(workspace, load);
            }
        }
    }
}
