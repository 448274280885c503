package dev.waybill.export.execution;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.common.lease.Lease;
import dev.waybill.export.job.ExportOutcomeService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Claims what is due, as much as this replica can do at once. */
@Singleton
class Workers {

    private static final int MANIFESTS_AT_ONCE = 2;

    private final ExportOutcomeService outcomes;
    private final RunWork.Maker runWorks;
    private final ManifestWork.Maker manifestWorks;
    private final ExecutionConfig config;
    private final String owner = owner();
    private final Set<Work> runs = ConcurrentHashMap.newKeySet();
    private final Set<Work> finishing = ConcurrentHashMap.newKeySet();

    Workers(ExportOutcomeService outcomes, RunWork.Maker runWorks, ManifestWork.Maker manifestWorks, ExecutionConfig config,
            ExecutionMetrics metrics) {
        this.outcomes = outcomes;
        this.runWorks = runWorks;
        this.manifestWorks = manifestWorks;
        this.config = config;
        metrics.watch(runs);
    }

    /** The next piece of work, claimed; empty when nothing is due or this replica has enough to do. */
    Uni<Optional<Work>> next() {
        boolean mayRun = runs.size() < config.concurrentRuns();
        boolean mayFinish = finishing.size() < MANIFESTS_AT_ONCE;
        if (mayRun && mayFinish) {
            return outcomes.claimNext(owner, config.lease())
                    .map(claim -> first(claim.finished()).map(this::manifest).or(() -> first(claim.runs()).map(this::run)));
        }
        if (mayFinish) {
            return outcomes.claimFinished(owner, config.lease(), 1)
                    .map(claimed -> first(claimed).map(this::manifest));
        }
        return mayRun
                ? outcomes.claimRun(owner, config.lease()).map(claimed -> first(claimed).map(this::run))
                : Uni.createFrom().item(Optional.empty());
    }

    /**
     * Whether there may be more to take after this: a run is only claimed when no manifest is due, so that one that takes the
     * last place ends the search.
     */
    boolean mayTakeMoreThan(Work taken) {
        return !runs.contains(taken) || runs.size() < config.concurrentRuns();
    }

    /** The work has come to its end, one way or another. */
    void done(Work work) {
        runs.remove(work);
        finishing.remove(work);
    }

    /** Gives back what was claimed and cancelled. */
    Uni<Void> giveBackAll() {
        return Multi.createFrom().items(Stream.concat(runs.stream(), finishing.stream()))
                .onItem().transformToUni(work -> work.giveBack().onFailure().recoverWithNull())
                .merge()
                .collect().last()
                .replaceWithVoid();
    }

    private Work manifest(Lease lease) {
        Work work = manifestWorks.of(lease);
        finishing.add(work);
        return work;
    }

    private Work run(Lease lease) {
        Work work = runWorks.of(lease);
        runs.add(work);
        return work;
    }

    private static Optional<Lease> first(List<Lease> claimed) {
        return claimed.stream().findFirst();
    }

    // For people who look into the table; nothing depends on it.
    private static String owner() {
        try {
            return InetAddress.getLocalHost().getHostName() + "/" + ProcessHandle.current().pid();
        } catch (UnknownHostException e) {
            return "?/" + ProcessHandle.current().pid();
        }
    }
}
