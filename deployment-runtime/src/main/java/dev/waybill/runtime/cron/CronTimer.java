package dev.waybill.runtime.cron;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.common.id.Ids;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.cron.CronConfig.Missed;
import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.storage.CronStorage.CronSettings;
import dev.waybill.runtime.storage.CronStorage.StoredCron;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.TimeToLive;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;

/**
 * Starts the runs of crons that are due. The storage decides which replica starts a run; one that was lost afterwards is
 * executed again like any background run.
 */
@Singleton
class CronTimer {

    private static final Logger LOG = Logger.getLogger(CronTimer.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Other replicas create crons as well. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);
    private static final Duration RETRY = Duration.ofSeconds(5);
    /** Time after which a due date is missed. */
    private static final Duration MISSED_AFTER = Duration.ofMinutes(1);
    /** Few, because each has a payload. */
    private static final int BATCH = 20;
    private static final TimeToLive AFTER_RUN = new TimeToLive(10, ExpiryStrategy.DELETE);

    private final RuntimeStorage storage;
    private final ThreadRunService runs;
    private final CronPayloads payloads;
    private final CronConfig config;
    private final Identity identity;
    private final AtomicReference<Instant> wakeAt = new AtomicReference<>(Instant.MIN);
    private final AtomicBoolean working = new AtomicBoolean();
    private volatile boolean stopping;

    /** Sources of ids and times. */
    @Singleton
    record Identity(Ids ids, Clock clock) {
    }

    CronTimer(RuntimeStorage storage, ThreadRunService runs, CronPayloads payloads, CronConfig config, Identity identity) {
        this.storage = storage;
        this.runs = runs;
        this.payloads = payloads;
        this.config = config;
        this.identity = identity;
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        storage.find().ifPresent(opened -> vertx.setPeriodic(INTERVAL.toMillis(), ignored -> tick(opened)));
    }

    void stop(@Observes ShutdownDelayInitiatedEvent event) {
        stopping = true;
    }

    /** Reads the storage at the date at the latest; null: no date. */
    void wakeAt(@Nullable Instant date) {
        if (date != null) {
            wakeAt.accumulateAndGet(date, (known, other) -> known.isBefore(other) ? known : other);
        }
    }

    private void tick(Storage opened) {
        Instant now = identity.clock().instant();
        if (!stopping && !now.isBefore(wakeAt.get()) && working.compareAndSet(false, true)) {
            wakeAt.set(now.plus(MAX_WAIT));
            fireDue(opened)
                    .onTermination().invoke(() -> working.set(false))
                    .subscribe().with(ignored -> {
                    }, failure -> {
                        wakeAt(now.plus(RETRY));
                        LOG.warnf("could not start runs of crons: %s", failure.getMessage());
                    });
        }
    }

    /** Starts the runs of due crons; fails if the storage is unavailable. */
    Uni<Void> fireDue(Storage opened) {
        return Uni.createFrom().deferred(() -> fireBatch(opened))
                .repeat().whilst(more -> more)
                .collect().last()
                .replaceWithVoid();
    }

    /** Returns whether more crons may be due; crons that have to be retried are the first ones of the next batch. */
    private Uni<Boolean> fireBatch(Storage opened) {
        return opened.crons().due(BATCH)
                .invoke(due -> wakeAt(due.next()))
                .chain(due -> Multi.createFrom().iterable(due.crons())
                        .onItem().transformToUniAndConcatenate(cron -> fireOrRetry(opened, cron))
                        .filter(fired -> fired)
                        .collect().with(Collectors.counting())
                        .map(fired -> fired == BATCH));
    }

    /** Returns whether the date was handled. */
    private Uni<Boolean> fireOrRetry(Storage opened, StoredCron cron) {
        return Uni.createFrom().deferred(() -> fire(opened, cron))
                .replaceWith(true)
                .onFailure().recoverWithItem(failure -> {
                    wakeAt(identity.clock().instant().plus(RETRY));
                    LOG.warnf("could not start a run of a cron: cron_id=%s reason=%s", cron.id(), failure.getMessage());
                    return false;
                });
    }

    private Uni<Void> fire(Storage opened, StoredCron cron) {
        Instant now = identity.clock().instant();
        Instant date = cron.next() == null ? now : cron.next();
        Instant next;
        CreateThreadRunRequest request;
        try {
            next = nextAfter(cron.settings(), date, now);
            request = payloads.request(cron.settings());
        } catch (RuntimeException e) {
            return skip(opened, cron, null,
                    "it cannot be read and has no further dates until it is changed: " + e.getMessage());
        }
        wakeAt(next);
        if (config.missed() == Missed.SKIP && date.plus(MISSED_AFTER).isBefore(now)) {
            return skip(opened, cron, next, "it was missed");
        }
        return start(opened, cron, next, request)
                .onFailure(CronTimer::isPermanent)
                .recoverWithUni(failure -> skip(opened, cron, next, String.valueOf(failure.getMessage())));
    }

    /** Returns the date after one; if that is missed as well, the first one in the future. */
    private static @Nullable Instant nextAfter(CronSettings settings, Instant date, Instant now) {
        Instant next = CronSchedule.nextAfter(settings, date);
        return next == null || next.isAfter(now) ? next : CronSchedule.nextAfter(settings, now);
    }

    private static boolean isPermanent(Throwable failure) {
        return failure instanceof ProblemException problem && problem.type() != CommonProblem.UNAVAILABLE
                && problem.type() != CommonProblem.TOO_MANY_REQUESTS;
    }

    private Uni<Void> start(Storage opened, StoredCron cron, @Nullable Instant next, CreateThreadRunRequest request) {
        CronSettings settings = cron.settings();
        UUID given = settings.thread();
        UUID thread = given == null ? identity.ids().newId() : given;
        String id = cron.id().toString();
        NewThread created = given != null ? null
                : new NewThread(thread, JsonNodeFactory.instance.objectNode().put("cron_id", id).toString(), "{}",
                        settings.keepsThreads() ? null : AFTER_RUN);
        return runs
                .fire(new CallerThread(cron.owner(), settings.principal(), thread), request.withMetadata("cron_id", id),
                        created,
                        run -> opened.crons().fire(cron, next, run))
                .invoke(begun -> begun.ifPresent(result -> log(cron, result)))
                .replaceWithVoid();
    }

    private static void log(StoredCron cron, Begun begun) {
        switch (begun) {
            case Begun.Running ignored -> LOG.debugf("started a run of a cron: cron_id=%s", cron.id());
            case Begun.Queued ignored -> LOG.debugf("queued a run of a cron: cron_id=%s", cron.id());
            case Begun.Busy ignored -> LOG.warnf("a cron started no run, because its thread is busy: cron_id=%s", cron.id());
            case Begun.Full ignored ->
                LOG.warnf("a cron started no run, because its thread has the maximum number of pending runs: cron_id=%s",
                        cron.id());
            case Begun.Existing ignored -> LOG.debugf("a run of a cron was stored before: cron_id=%s", cron.id());
            case Begun.NoThread ignored -> LOG.warnf("deleted a cron whose thread was deleted: cron_id=%s", cron.id());
            case Begun.Answered ignored -> throw new IllegalStateException("a cron answers no interrupts");
            case Begun.NoCheckpoint ignored ->
                LOG.warnf("a cron started no run, because its thread does not have the checkpoint: cron_id=%s", cron.id());
        }
    }

    private static Uni<Void> skip(Storage opened, StoredCron cron, @Nullable Instant next, String reason) {
        LOG.warnf("a cron started no run: cron_id=%s date=%s reason=%s", cron.id(), cron.next(), reason);
        return opened.crons().update(cron, cron.settings(), next).map(Optional::isPresent).replaceWithVoid();
    }
}
