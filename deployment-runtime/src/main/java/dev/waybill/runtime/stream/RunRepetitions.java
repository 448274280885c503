package dev.waybill.runtime.stream;

import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.idempotency.Fingerprint;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunConfig;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunService;

/**
 * Requests that are sent again under the same {@code Idempotency-Key} (contract.md "Everywhere"). They are known for as long as
 * their run is kept, and in memory, because runs are.
 */
@Singleton
class RunRepetitions {

    static final String HEADER = "Idempotency-Key";

    private static final Pattern SANE = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(1);
    /** All answers together that are kept for who waits again. */
    private static final long MOST_VALUES_BYTES = 64L << 20;

    private final Fingerprint fingerprint;
    private final RunService runs;
    private final int most;
    private final LinkedHashMap<Use, First> firsts = new LinkedHashMap<>();
    private long valuesBytes;

    RunRepetitions(ObjectMapper mapper, RunService runs, RunConfig config) {
        this.fingerprint = new Fingerprint(mapper);
        this.runs = runs;
        this.most = config.kept() + config.concurrent();
    }

    /** What a key was used for, and by whom. */
    record Use(String principal, String address, @Nullable String key) {
    }

    /** What came of the first request. */
    static final class First {

        private final byte[] fingerprint;
        private final Run run;
        private final RunResponse response;
        private byte @Nullable [] values;

        private First(byte[] fingerprint, Run run) {
            this.fingerprint = fingerprint;
            this.run = run;
            this.response = run.response();
        }

        Run run() {
            return run;
        }

        /** The run as its first caller was told of it. */
        RunResponse response() {
            return response;
        }
    }

    /**
     * Creates the run and begins to answer, or answers again for the run that this use of a key has created.
     *
     * @throws ProblemException 422 when the key was used for another request, or is none; whatever creating a run throws
     */
    <T> T once(Use use, CreateRunRequest body, Function<Run, T> begin, Function<First, T> again) {
        if (use.key() == null) {
            return begin.apply(runs.create(body, use.principal()));
        }
        if (!SANE.matcher(use.key()).matches()) {
            throw ProblemException.invalid(Violation.of(HEADER, "must have 1 to 255 visible ASCII characters", "invalid"));
        }
        byte[] asked = fingerprint.of(body);
        Run created;
        synchronized (this) {
            forgetOld();
            First first = firsts.get(use);
            if (first != null && runs.isKept(first.run)) {
                return again.apply(requireSame(first, asked));
            }
            created = runs.create(body, use.principal());
            firsts.put(use, new First(asked, created));
        }
        return begin.apply(created);
    }

    /** Keeps what the run's first caller is told, for who asks again. */
    void keepValues(Use use, Run.End end) {
        if (use.key() != null) {
            keepValues(use, WaitingAnswer.bytes(end));
        }
    }

    private synchronized void keepValues(Use use, byte[] values) {
        First first = firsts.get(use);
        if (first != null && first.values == null && valuesBytes + values.length <= MOST_VALUES_BYTES) {
            first.values = values;
            valuesBytes += values.length;
        }
    }

    /** @throws ProblemException 409 when the first caller is still waiting, 410 when what it was told is not kept */
    synchronized byte[] requireValues(First first) {
        if (!first.run.status().isFinal()) {
            throw stillAnswered();
        }
        byte[] values = first.values;
        if (values == null) {
            throw new ProblemException(RunProblem.EVENTS_GONE, "The values of this run are not kept any more.");
        }
        return values;
    }

    /** @throws ProblemException 409 when the first stream is still being read */
    static Run requireUnread(First first) {
        if (first.run.log().isRead()) {
            throw stillAnswered();
        }
        return first.run;
    }

    private static ProblemException stillAnswered() {
        return new ProblemException(CommonProblem.CONFLICT,
                "The first request with this Idempotency-Key is still being answered.").retryAfter(ASK_AGAIN_AFTER);
    }

    private static First requireSame(First first, byte[] asked) {
        if (!MessageDigest.isEqual(first.fingerprint, asked)) {
            throw ProblemException.invalid(
                    Violation.of(HEADER, "was used for another request already; take a new one", "reused"));
        }
        return first;
    }

    /** Runs are kept for alike long, so those that are gone stand first, or nearly. */
    private void forgetOld() {
        Map.Entry<Use, First> oldest = firsts.firstEntry();
        while (oldest != null && (firsts.size() >= most || !runs.isKept(oldest.getValue().run))) {
            firsts.pollFirstEntry();
            valuesBytes -= size(oldest.getValue());
            oldest = firsts.firstEntry();
        }
    }

    private static int size(First first) {
        byte[] values = first.values;
        return values == null ? 0 : values.length;
    }
}
