package dev.waybill.export.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.job.WorkPoller;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.run.WorkAvailable;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Claims and starts jobs: at the poll interval, when this replica creates or cancels an export, and when a job ends.
 * A started job runs until it ends or the replica shuts down.
 */
@Singleton
class ExecutionTimer {

    private static final Logger LOG = Logger.getLogger(ExecutionTimer.class);
    private static final Cancellable NOT_STARTED = () -> {
    };

    private static final String POLL_INTERVAL = "1s";

    private final JobClaimer claimer;
    private final ExportLifecycleService exports;
    private final UploadCleanup uploads;
    private final Map<Job, Cancellable> inProgress = new ConcurrentHashMap<>();
    private final WorkPoller poller = new WorkPoller(this::claimAndStart);

    ExecutionTimer(JobClaimer claimer, ExportLifecycleService exports, UploadCleanup uploads) {
        this.claimer = claimer;
        this.exports = exports;
        this.uploads = uploads;
    }

    @Scheduled(identity = "export-jobs", every = POLL_INTERVAL, delayed = "0s")
    void poll() {
        poller.poll();
    }

    @Scheduled(identity = "export-cleanup", every = "{waybill.export.execution.cleanup-interval}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> cleanUp() {
        return exports.timeOut()
                .chain(uploads::cleanUp)
                .replaceWithVoid();
    }

    void onWorkAvailable(@Observes WorkAvailable ignored) {
        poller.poll();
    }

    void stop(@Observes ShutdownEvent ignored) {
        poller.stop(() -> {
            inProgress.values().forEach(Cancellable::cancel);
            return claimer.releaseAll();
        });
    }

    private Uni<Boolean> claimAndStart() {
        return claimer.claimNext()
                .chain(next -> next.isEmpty() ? Uni.createFrom().item(false) : startClaimed(next.get()));
    }

    private Uni<Boolean> startClaimed(Job job) {
        if (poller.isStopping()) {
            return job.release()
                    .onFailure()
                    .invoke(failure -> LOG.debug("could not release a job that was claimed during shutdown", failure))
                    .onFailure().recoverWithNull()
                    .replaceWith(false);
        }
        boolean mayHaveMore = claimer.mayClaimMoreAfter(job);
        start(job);
        return Uni.createFrom().item(mayHaveMore);
    }

    private void start(Job job) {
        inProgress.put(job, NOT_STARTED);
        Cancellable started = job.perform()
                .subscribe().with(done -> ended(job), failure -> {
                    LOG.error("the result of a job could not be stored; the job is repeated when its lease expires", failure);
                    ended(job);
                });
        inProgress.replace(job, started);
    }

    private void ended(Job job) {
        inProgress.remove(job);
        claimer.remove(job);
        poller.poll();
    }
}
