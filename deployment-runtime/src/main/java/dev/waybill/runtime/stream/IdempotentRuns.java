package dev.waybill.runtime.stream;

import java.security.MessageDigest;
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
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.run.KeyedRunService;
import dev.waybill.runtime.run.ResolvedRun;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;

/**
 * Recognises repeated requests by {@code Idempotency-Key} (contract.md "Everywhere"). Keys are stored in memory for as long as
 * their
 * run is retained.
 */
@Singleton
class IdempotentRuns {

    static final String HEADER = KeyedRunService.HEADER;

    private static final Pattern VALID_KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private final Fingerprint fingerprint;
    private final RunLifecycleService runs;
    private final int maxEntries;
    private final Map<Key, Entry> entries = new HashMap<>();

    IdempotentRuns(ObjectMapper mapper, RunLifecycleService runs) {
        this.fingerprint = new Fingerprint(mapper);
        this.runs = runs;
        // Twice the maximum number of runs, so that entries of evicted runs are not searched for with every request.
        this.maxEntries = 2 * runs.maxRuns();
    }

    /** An idempotency key with the principal and the path that it was used for. */
    record Key(String principal, String address, @Nullable String value) {
    }

    /** Result of the first request. Holds the run's id only, so that evicted runs can be garbage-collected. */
    private record Entry(byte[] fingerprint, UUID run) {
    }

    /**
     * Creates the run and starts its response, or responds again for the run that was created with this key.
     *
     * @throws ProblemException 422 for an invalid key or one that was used for another request; any problem of creating a run
     */
    <T> T execute(Key key, ResolvedRun requested, Function<Run, T> start, Function<Run, T> replay) {
        if (key.value() == null) {
            return start.apply(runs.create(requested, key.principal()));
        }
        requireValid(key.value());
        byte[] hash = fingerprint.of(requested.given());
        Optional<Run> existing;
        Run run;
        synchronized (this) {
            existing = find(key, hash);
            run = existing.isPresent() ? existing.get() : runs.create(requested, key.principal());
            put(key, new Entry(hash, run.id()));
        }
        return existing.isPresent() ? replay.apply(run) : start.apply(run);
    }

    /** @throws ProblemException 422 for an invalid key */
    static void requireValid(String key) {
        if (!VALID_KEY.matcher(key).matches()) {
            throw ProblemException.invalid(Violation.of(HEADER, "must have 1 to 255 visible ASCII characters", "invalid"));
        }
    }

    private Optional<Run> find(Key key, byte[] hash) {
        Entry entry = entries.get(key);
        Optional<Run> run = entry == null ? Optional.empty() : runs.find(entry.run(), key.principal());
        if (entry != null && run.isPresent() && !MessageDigest.isEqual(entry.fingerprint(), hash)) {
            throw ProblemException.invalid(KeyedRunService.reused());
        }
        return run;
    }

    private void put(Key key, Entry entry) {
        if (entries.size() >= maxEntries) {
            entries.entrySet().removeIf(old -> runs.find(old.getValue().run(), old.getKey().principal()).isEmpty());
        }
        entries.put(key, entry);
    }

    /** @throws ProblemException 409 when the first request is still waiting */
    static void requireEnded(Run run) {
        if (!run.status().isFinal()) {
            throw KeyedRunService.inProgress();
        }
    }

    /** @throws ProblemException 409 when the first stream is still being read */
    static void requireNoReader(Run run) {
        if (run.log().hasReaders()) {
            throw KeyedRunService.inProgress();
        }
    }
}
