package dev.waybill.common.job;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Claims due rows and performs their jobs, each under its lease, up to the number of concurrent jobs of each handler. One
 * transaction claims for all handlers in their order; the end of a job causes another poll.
 */
public final class JobRunner {

    private static final Logger LOG = Logger.getLogger(JobRunner.class);

    private final Database database;
    private final LeaseHeartbeat heartbeat;
    private final LoggingContext loggingContext;
    private final int maxPerClaim;
    private final List<JobHandler> handlers;
    private final Map<Lease, Running> running = new ConcurrentHashMap<>();
    private final WorkPoller poller = new WorkPoller(this::claimAndStart);
    private final String owner = owner();

    /**
     * @param maxPerClaim maximum number of rows of one claim; 1 if each claim must see the result of the previous one
     * @param handlers the kinds of jobs, in the order in which they are claimed
     */
    public JobRunner(Database database, MeterRegistry metrics, LoggingContext loggingContext, int maxPerClaim,
            List<? extends JobHandler> handlers) {
        this.database = database;
        this.heartbeat = new LeaseHeartbeat(database, metrics);
        this.loggingContext = loggingContext;
        this.maxPerClaim = maxPerClaim;
        this.handlers = List.copyOf(handlers);
    }

    /** Requests a poll for due rows. */
    public void poll() {
        poller.poll();
    }

    /** Returns the number of jobs that this replica performs. */
    public int running() {
        return running.size();
    }

    /** Returns the number of the handler's jobs that this replica performs. */
    public int running(JobHandler handler) {
        return (int) running.values().stream().filter(job -> job.handler == handler).count();
    }

    /**
     * Cancels the job of a row whose lease was revoked, and polls. The lease may have been claimed again meanwhile; it is
     * released because no job uses it any longer.
     */
    public void cancel(UUID id) {
        List<Running> obsolete = running.values().stream().filter(job -> job.lease.id().equals(id)).toList();
        obsolete.forEach(job -> {
            running.remove(job.lease, job);
            job.loseLease();
        });
        Multi.createFrom().iterable(obsolete)
                .onItem().transformToUniAndConcatenate(this::releaseLease)
                .collect().last()
                .subscribe().with(done -> poller.poll(), failure -> poller.poll());
    }

    /** Stops polling, cancels all jobs and waits up to 8 s until their leases are released. */
    public void stop() {
        poller.stop(() -> {
            List<Running> stopped = List.copyOf(running.values());
            stopped.forEach(Running::shutDown);
            return Uni.createFrom().completionStage(CompletableFuture.allOf(stopped.stream()
                    .map(job -> job.ended)
                    .toArray(CompletableFuture<?>[]::new)));
        });
    }

    private Uni<Boolean> claimAndStart() {
        if (handlers.stream().noneMatch(this::hasFreeSlot)) {
            return Uni.createFrom().item(false);
        }
        return database.everyWorkspace(this::claim)
                .chain(claimed -> poller.isStopping() ? releaseAll(claimed) : startAll(claimed));
    }

    private Uni<List<Running>> claim(SqlConnection connection) {
        List<Running> claimed = new ArrayList<>();
        return Multi.createFrom().iterable(handlers)
                .onItem().transformToUniAndConcatenate(handler -> claim(connection, handler, claimed))
                .collect().last()
                .replaceWith(claimed);
    }

    private Uni<Void> claim(SqlConnection connection, JobHandler handler, List<Running> claimed) {
        int limit = Math.min(handler.maxConcurrent() - running(handler), maxPerClaim - claimed.size());
        return limit <= 0 ? Uni.createFrom().voidItem()
                : handler.claim(connection, owner, handler.timing().length(), limit)
                        .invoke(leases -> leases.forEach(lease -> claimed.add(new Running(handler, lease))))
                        .replaceWithVoid();
    }

    private Uni<Boolean> startAll(List<Running> claimed) {
        claimed.forEach(this::start);
        return Uni.createFrom().item(mayHaveMore(claimed));
    }

    // Handlers before that of the last row have no due row or no free slot; a job that frees a slot causes another poll.
    private boolean mayHaveMore(List<Running> claimed) {
        return claimed.size() == maxPerClaim && handlers.stream()
                .dropWhile(handler -> handler != claimed.getLast().handler)
                .anyMatch(this::hasFreeSlot);
    }

    private boolean hasFreeSlot(JobHandler handler) {
        return running(handler) < handler.maxConcurrent();
    }

    // An earlier job of the same row has lost its lease, which its heartbeat has not noticed yet.
    private void start(Running job) {
        running.values().stream().filter(job::hasSameRow).forEach(Running::loseLease);
        running.put(job.lease, job);
        perform(job)
                .subscribe().with(done -> ended(job), failure -> {
                    LOG.error("the result of a job could not be stored; the job is repeated when its lease expires", failure);
                    ended(job);
                });
    }

    private void ended(Running job) {
        running.remove(job.lease, job);
        job.ended.complete(null);
        poller.poll();
    }

    private Uni<Void> perform(Running job) {
        Map<String, String> ids = Map.of(LogKeys.TENANT_ID, job.lease.tenantId().toString(), job.handler.idKey(),
                job.lease.id().toString());
        return loggingContext.withIds(ids, () -> Uni.combine().any().of(job.interruption(), performWithHeartbeat(job))
                .onFailure(LeaseLostException.class).call(job.work::onLeaseLost)
                .onFailure(LeaseLostException.class).recoverWithNull()
                .onFailure(ShutdownException.class).recoverWithUni(() -> release(job)));
    }

    private Uni<Void> performWithHeartbeat(Running job) {
        return heartbeat.whileHeld(job.handler.leases(), job.lease, job.handler.timing(), job.work::onRenewal,
                lease -> job.work.perform());
    }

    private Uni<Boolean> releaseAll(List<Running> claimed) {
        return Multi.createFrom().iterable(claimed)
                .onItem().transformToUniAndMerge(this::release)
                .collect().last()
                .replaceWith(false);
    }

    private Uni<Void> release(Running job) {
        return job.work.beforeRelease()
                .onFailure().invoke(JobRunner::logReleaseFailure)
                .chain(() -> releaseLease(job))
                .onFailure().recoverWithNull();
    }

    private Uni<Void> releaseLease(Running job) {
        return database.inWorkspace(job.lease.tenantId(), connection -> job.handler.release(connection, job.lease)
                .replaceWithVoid())
                .onFailure().invoke(JobRunner::logReleaseFailure)
                .onFailure().recoverWithNull();
    }

    private static void logReleaseFailure(Throwable failure) {
        if (!(failure instanceof LeaseLostException)) {
            LOG.warnf("a job could not be released; it can be claimed when its lease has expired: %s", failure);
        }
    }

    // Shown in the table for operators; no query reads it.
    private static String owner() {
        long pid = ProcessHandle.current().pid();
        try {
            return InetAddress.getLocalHost().getHostName() + "/" + pid;
        } catch (UnknownHostException e) {
            return "?/" + pid;
        }
    }

    /** A claimed row and its job. An interruption may precede the start. */
    private static final class Running {

        private final JobHandler handler;
        private final Lease lease;
        private final Job work;
        private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        private Running(JobHandler handler, Lease lease) {
            this.handler = handler;
            this.lease = lease;
            this.work = handler.create(lease);
        }

        private boolean hasSameRow(Running other) {
            return lease.id().equals(other.lease.id());
        }

        private void loseLease() {
            interrupted.completeExceptionally(new LeaseLostException(lease, null));
        }

        private void shutDown() {
            interrupted.completeExceptionally(new ShutdownException());
        }

        /** Returns a Uni that never completes and fails when the job is interrupted. */
        private Uni<Void> interruption() {
            return Uni.createFrom().completionStage(interrupted);
        }
    }

    /** Cancels the jobs of a replica that stops. */
    private static final class ShutdownException extends RuntimeException {

        private ShutdownException() {
            super("the replica stops", null, false, false);
        }
    }
}
