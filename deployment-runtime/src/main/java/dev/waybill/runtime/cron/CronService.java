package dev.waybill.runtime.cron;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.cron.CronTimer.Identity;
import dev.waybill.runtime.run.ResolvedRun;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.storage.CronStorage.CronFilter;
import dev.waybill.runtime.storage.CronStorage.CronPage;
import dev.waybill.runtime.storage.CronStorage.CronSettings;
import dev.waybill.runtime.storage.CronStorage.StoredCron;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import io.smallrye.mutiny.Uni;

/** Crons of an owner. A cron of another owner is missing. */
@Singleton
class CronService {

    private static final String KEEP = "keep";
    /** Attempts of a change while the cron is fired or changed. */
    private static final int MAX_ATTEMPTS = 10;

    private final RuntimeStorage storage;
    private final ThreadRunService runs;
    private final CronTimer timer;
    private final CronPayloads payloads;
    private final Identity identity;

    /** Maximum number of crons of an owner; requests at the same time may exceed it slightly. */
    static final int MAX_CRONS = 1_000;

    /** The caller of a request. */
    record Caller(Owner owner, String principal) {
    }

    CronService(RuntimeStorage storage, ThreadRunService runs, CronTimer timer, CronPayloads payloads, Identity identity) {
        this.storage = storage;
        this.runs = runs;
        this.timer = timer;
        this.payloads = payloads;
        this.identity = identity;
    }

    /**
     * Creates a cron; fails with 404 for an unknown assistant or thread, and with 422 if it would never start a run.
     *
     * @param thread null: each run gets a thread of its own
     */
    Uni<StoredCron> create(Caller caller, @Nullable UUID thread, CreateCronRequest request) {
        return storage.execute(opened -> runs.check(caller.owner(), request.toRun())
                .call(() -> thread == null ? Uni.createFrom().voidItem() : requireThread(opened, caller.owner(), thread))
                .map(run -> settings(caller, thread, request, run))
                .call(() -> requireFewerCrons(opened, caller.owner()))
                .chain(settings -> opened.crons().create(caller.owner(), identity.ids().newId(), settings,
                        firstDate(settings)))
                .invoke(cron -> timer.wakeAt(cron.next())));
    }

    private static Uni<Void> requireThread(Storage opened, Owner owner, UUID thread) {
        return opened.threads().find(owner, thread)
                .invoke(found -> {
                    if (found.isEmpty()) {
                        throw new ProblemException(CommonProblem.NOT_FOUND, "The thread " + thread + " does not exist.");
                    }
                })
                .replaceWithVoid();
    }

    private static Uni<Void> requireFewerCrons(Storage opened, Owner owner) {
        return opened.crons().count(owner, CronFilter.newest(1))
                .invoke(count -> {
                    if (count >= MAX_CRONS) {
                        throw new ProblemException(CommonProblem.INVALID, "You have " + count
                                + " crons, the maximum; delete those that you no longer need before you create another.");
                    }
                })
                .replaceWithVoid();
    }

    private CronSettings settings(Caller caller, @Nullable UUID thread, CreateCronRequest request, ResolvedRun run) {
        return new CronSettings(caller.principal(), run.assistant().id(), thread, KEEP.equals(request.onRunCompleted()),
                request.schedule(), request.timezone(),
                request.endTime() == null ? null : CronSchedule.parseTime(request.endTime()).orElseThrow(),
                request.enabled() == null || request.enabled(), requireSize(payloads.of(request.toRun()).toString()),
                request.metadata() == null ? "{}" : request.metadata().toString());
    }

    private static String requireSize(String payload) {
        if (payload.getBytes(StandardCharsets.UTF_8).length > CreateCronRequest.MAX_BYTES) {
            throw ProblemException.invalid(Violation.of("input",
                    "must have at most 262144 bytes as JSON together with config, context and the other members of the runs",
                    "invalid"));
        }
        return payload;
    }

    /** Returns the first date; null if the cron is not enabled. */
    private @Nullable Instant firstDate(CronSettings settings) {
        Instant next = CronSchedule.nextAfter(settings, identity.clock().instant());
        if (next == null && settings.enabled()) {
            throw ProblemException.invalid(settings.end() == null
                    ? Violation.of("schedule", "must have a date; this one has none", "invalid")
                    : Violation.of("end_time", "must be after the first date of the schedule", "invalid"));
        }
        return next;
    }

    Uni<Long> count(Owner owner, CronFilter filter) {
        return storage.execute(opened -> opened.crons().count(owner, filter));
    }

    Uni<CronPage> search(Owner owner, CronFilter filter) {
        return storage.execute(opened -> opened.crons().search(owner, filter));
    }

    /** Changes a cron; its dates are computed again if the request changes them. */
    Uni<StoredCron> update(Owner owner, UUID cron, UpdateCronRequest request) {
        return storage.execute(opened -> Uni.createFrom().deferred(() -> change(opened, owner, cron, request))
                .repeat().atMost(MAX_ATTEMPTS).filter(Optional::isPresent).select().first().toUni()
                .map(changed -> {
                    if (changed == null) {
                        throw ProblemException
                                .conflict("The cron " + cron + " was changed at the same time; repeat the request.");
                    }
                    return changed.orElseThrow();
                }))
                .invoke(changed -> timer.wakeAt(changed.next()));
    }

    private Uni<Optional<StoredCron>> change(Storage opened, Owner owner, UUID cron, UpdateCronRequest request) {
        return opened.crons().find(owner, cron).chain(found -> {
            StoredCron read = found.orElseThrow(() -> missing(cron));
            CronSettings settings = changed(read.settings(), request);
            runs.requireWebhook(payloads.request(settings));
            return opened.crons().update(read, settings, request.changesDates() ? firstDate(settings) : read.next());
        });
    }

    private CronSettings changed(CronSettings old, UpdateCronRequest request) {
        JsonNode end = request.endTime();
        return new CronSettings(old.principal(), old.assistant(), old.thread(),
                request.onRunCompleted() == null ? old.keepsThreads() : KEEP.equals(request.onRunCompleted()),
                request.schedule() == null ? old.schedule() : request.schedule(),
                request.timezone() == null ? old.zone() : request.timezone(),
                end == null ? old.end() : end.isNull() ? null : CronSchedule.parseTime(end.textValue()).orElseThrow(),
                request.enabled() == null ? old.enabled() : request.enabled(),
                requireSize(payloads.merge(old.payload(), request.toRun(old.assistant().toString()))),
                request.metadata() == null ? old.metadata() : request.metadata().toString());
    }

    Uni<Void> delete(Owner owner, UUID cron) {
        return storage.execute(opened -> opened.crons().delete(owner, cron))
                .invoke(deleted -> {
                    if (!deleted) {
                        throw missing(cron);
                    }
                })
                .replaceWithVoid();
    }

    private static ProblemException missing(UUID cron) {
        return new ProblemException(CommonProblem.NOT_FOUND, "The cron " + cron + " does not exist.");
    }
}
