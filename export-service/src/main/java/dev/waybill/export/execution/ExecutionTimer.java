package dev.waybill.export.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.lease.WorkPoller;
import dev.waybill.export.job.ExportOutcomeService;
import dev.waybill.export.run.WorkDue;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Starts work: at its turns, when an export was ordered or cancelled here, and when something was finished. What is started
 * runs until it ends or this replica stops.
 */
@Singleton
class ExecutionTimer {

    private static final Logger LOG = Logger.getLogger(ExecutionTimer.class);
    private static final Cancellable NOT_YET = () -> {
    };

    private final Workers workers;
    private final ExportOutcomeService outcomes;
    private final Leftovers leftovers;
    private final Map<Work, Cancellable> underWay = new ConcurrentHashMap<>();
    private final WorkPoller timer = new WorkPoller(this::takeNext);

    ExecutionTimer(Workers workers, ExportOutcomeService outcomes, Leftovers leftovers) {
        this.workers = workers;
        this.outcomes = outcomes;
        this.leftovers = leftovers;
    }

    @Scheduled(identity = "export-work", every = "{waybill.export.execution.every}", delayed = "0s")
    void tick() {
        timer.poll();
    }

    @Scheduled(identity = "export-sweep", every = "{waybill.export.execution.sweep-every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return outcomes.timeOut()
                .chain(leftovers::sweep)
                .replaceWithVoid();
    }

    void onWork(@Observes WorkDue ignored) {
        timer.poll();
    }

    void stop(@Observes ShutdownEvent ignored) {
        timer.stop(() -> {
            underWay.values().forEach(Cancellable::cancel);
            return workers.giveBackAll();
        });
    }

    private Uni<Boolean> takeNext() {
        return workers.next()
                .chain(next -> next.isEmpty() ? Uni.createFrom().item(false) : taken(next.get()));
    }

    private Uni<Boolean> taken(Work work) {
        if (timer.isStopping()) {
            return work.giveBack()
                    .onFailure().invoke(failure -> LOG.debug("claimed too late to be done", failure))
                    .onFailure().recoverWithNull()
                    .replaceWith(false);
        }
        boolean mayBeMore = workers.mayTakeMoreThan(work);
        start(work);
        return Uni.createFrom().item(mayBeMore);
    }

    private void start(Work work) {
        underWay.put(work, NOT_YET);
        Cancellable started = work.perform()
                .subscribe().with(done -> ended(work), failure -> {
                    LOG.error("what came of a piece of work could not be written down; it is done again later", failure);
                    ended(work);
                });
        underWay.replace(work, started);
    }

    private void ended(Work work) {
        underWay.remove(work);
        workers.done(work);
        timer.poll();
    }
}
