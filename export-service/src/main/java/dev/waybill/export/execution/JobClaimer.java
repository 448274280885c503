package dev.waybill.export.execution;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.common.job.Lease;
import dev.waybill.export.job.ExportLifecycleService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Claims due jobs up to the number that this replica runs concurrently. */
@Singleton
class JobClaimer {

    private static final int MAX_CONCURRENT_MANIFESTS = 2;

    private final ExportLifecycleService exports;
    private final PartitionJob.Factory partitionJobs;
    private final ManifestJob.Factory manifestJobs;
    private final ExecutionConfig config;
    private final String owner = owner();
    private final Set<Job> writingRuns = ConcurrentHashMap.newKeySet();
    private final Set<Job> writingManifests = ConcurrentHashMap.newKeySet();

    JobClaimer(ExportLifecycleService exports, PartitionJob.Factory partitionJobs, ManifestJob.Factory manifestJobs,
            ExecutionConfig config,
            ExecutionMetrics metrics) {
        this.exports = exports;
        this.partitionJobs = partitionJobs;
        this.manifestJobs = manifestJobs;
        this.config = config;
        metrics.registerRunningRuns(writingRuns);
    }

    /** Claims the next job; empty when none is due or this replica has no capacity. */
    Uni<Optional<Job>> claimNext() {
        boolean canWriteRun = writingRuns.size() < config.maxConcurrentRuns();
        boolean canWriteManifest = writingManifests.size() < MAX_CONCURRENT_MANIFESTS;
        if (canWriteRun && canWriteManifest) {
            return exports.claimNext(owner, config.leaseTtl())
                    .map(claim -> first(claim.manifests()).map(this::manifest).or(() -> first(claim.runs()).map(this::run)));
        }
        if (canWriteManifest) {
            return exports.claimManifests(owner, config.leaseTtl(), 1)
                    .map(claimed -> first(claimed).map(this::manifest));
        }
        return canWriteRun
                ? exports.claimRun(owner, config.leaseTtl()).map(claimed -> first(claimed).map(this::run))
                : Uni.createFrom().item(Optional.empty());
    }

    /**
     * Returns whether another job may be due after this one. A run is claimed only when no manifest is due, so a run that
     * takes the last slot ends the search.
     */
    boolean mayClaimMoreAfter(Job claimed) {
        return !writingRuns.contains(claimed) || writingRuns.size() < config.maxConcurrentRuns();
    }

    /** Frees the slot of an ended job. */
    void remove(Job job) {
        writingRuns.remove(job);
        writingManifests.remove(job);
    }

    /** Releases the leases of all claimed jobs, after their cancellation. */
    Uni<Void> releaseAll() {
        return Multi.createFrom().items(Stream.concat(writingRuns.stream(), writingManifests.stream()))
                .onItem().transformToUni(job -> job.release().onFailure().recoverWithNull())
                .merge()
                .collect().last()
                .replaceWithVoid();
    }

    private Job manifest(Lease lease) {
        Job job = manifestJobs.create(lease);
        writingManifests.add(job);
        return job;
    }

    private Job run(Lease lease) {
        Job job = partitionJobs.create(lease);
        writingRuns.add(job);
        return job;
    }

    private static Optional<Lease> first(List<Lease> claimed) {
        return claimed.stream().findFirst();
    }

    // Shown in the table for operators; no query reads it.
    private static String owner() {
        try {
            return InetAddress.getLocalHost().getHostName() + "/" + ProcessHandle.current().pid();
        } catch (UnknownHostException e) {
            return "?/" + ProcessHandle.current().pid();
        }
    }
}
