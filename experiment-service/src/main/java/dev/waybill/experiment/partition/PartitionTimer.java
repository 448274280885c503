package dev.waybill.experiment.partition;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Creates partitions in advance, at start and every hour. */
@Singleton
class PartitionTimer {

    private final RunPartitions partitions;

    PartitionTimer(RunPartitions partitions) {
        this.partitions = partitions;
    }

    @Scheduled(every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> createAhead() {
        return partitions.createAhead();
    }
}
