package dev.waybill.runtime.stream;

import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

    private final Fingerprint fingerprint;
    private final RunService runs;
    private final int most;
    private final Map<Use, First> firsts = new HashMap<>();

    RunRepetitions(ObjectMapper mapper, RunService runs, RunConfig config) {
        this.fingerprint = new Fingerprint(mapper);
        this.runs = runs;
        // Twice as many as there can be runs, so that looking for those that are gone is not for every request.
        this.most = 2 * (config.kept() + config.concurrent());
    }

    /** What a key was used for, and by whom. */
    record Use(String principal, String address, @Nullable String key) {
    }

    /** What came of the first request. Not the run itself: that is kept for as long as runs are, and no longer. */
    private record First(byte[] fingerprint, UUID run) {
    }

    /**
     * Creates the run and begins to answer, or answers again for the run that this use of a key has created.
     *
     * @throws ProblemException 422 when the key was used for another request, or is none; whatever creating a run throws
     */
    <T> T once(Use use, CreateRunRequest body, Function<Run, T> begin, Function<Run, T> again) {
        if (use.key() == null) {
            return begin.apply(runs.create(body, use.principal()));
        }
        if (!SANE.matcher(use.key()).matches()) {
            throw ProblemException.invalid(Violation.of(HEADER, "must have 1 to 255 visible ASCII characters", "invalid"));
        }
        byte[] asked = fingerprint.of(body);
        Optional<Run> known;
        Run run;
        synchronized (this) {
            known = known(use, asked);
            run = known.isPresent() ? known.get() : runs.create(body, use.principal());
            note(use, new First(asked, run.id()));
        }
        return known.isPresent() ? again.apply(run) : begin.apply(run);
    }

    private Optional<Run> known(Use use, byte[] asked) {
        First first = firsts.get(use);
        Optional<Run> run = first == null ? Optional.empty() : runs.find(first.run(), use.principal());
        if (first != null && run.isPresent() && !MessageDigest.isEqual(first.fingerprint(), asked)) {
            throw ProblemException.invalid(
                    Violation.of(HEADER, "was used for another request already; take a new one", "reused"));
        }
        return run;
    }

    private void note(Use use, First first) {
        if (firsts.size() >= most) {
            firsts.entrySet().removeIf(old -> runs.find(old.getValue().run(), old.getKey().principal()).isEmpty());
        }
        firsts.put(use, first);
    }

    /** @throws ProblemException 409 when the first caller is still waiting */
    static void requireEnded(Run run) {
        if (!run.status().isFinal()) {
            throw stillAnswered();
        }
    }

    /** @throws ProblemException 409 when the first stream is still being read */
    static void requireUnread(Run run) {
        if (run.log().isRead()) {
            throw stillAnswered();
        }
    }

    private static ProblemException stillAnswered() {
        return new ProblemException(CommonProblem.CONFLICT,
                "The first request with this Idempotency-Key is still being answered.").retryAfter(ASK_AGAIN_AFTER);
    }
}
