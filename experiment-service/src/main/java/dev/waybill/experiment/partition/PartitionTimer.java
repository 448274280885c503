package dev.waybill.experiment.partition;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Makes partitions before runs need them, at start and then every hour. */
@Singleton
class PartitionTimer {

    private final RunPartitions partitions;

    PartitionTimer(RunPartitions partitions) {
        this.partitions = partitions;
    }

    @Scheduled(every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> makeAhead() {
        return partitions.makeAhead();
    }
}
