package dev.waybill.export.execution;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.RunFile;
import io.smallrye.mutiny.Uni;

/** How a run goes from its rows to its files (docs/architecture.md "Export"). */
@Singleton
class RunExecutor {

    private final AttemptService attempts;
    private final RunWriter writer;
    private final RunPublisher publisher;
    private final Leftovers leftovers;
    private final CrashPoint crash;

    RunExecutor(AttemptService attempts, RunWriter writer, RunPublisher publisher, Leftovers leftovers, CrashPoint crash) {
        this.attempts = attempts;
        this.writer = writer;
        this.publisher = publisher;
        this.leftovers = leftovers;
        this.crash = crash;
    }

    /** From the rows, or from the commit record of an attempt before, to a completed run. */
    Uni<Void> execute(Attempt attempt, AttemptProgress progress) {
        crash.reached(CrashPoint.Step.BEGUN);
        List<RunFile> committed = attempt.committed();
        if (committed != null) {
            progress.committing();
            return publisher.publish(attempt, committed);
        }
        return leftovers.abortBefore(attempt)
                .chain(() -> writer.write(attempt, progress))
                .chain(files -> files.isEmpty()
                        ? attempts.complete(attempt.lease())
                        : commit(attempt, files, progress));
    }

    private Uni<Void> commit(Attempt attempt, List<RunFile> files, AttemptProgress progress) {
        progress.committing();
        return attempts.commit(attempt.lease(), files)
                .invoke(() -> crash.reached(CrashPoint.Step.COMMITTED))
                .chain(() -> publisher.publish(attempt, files));
    }
}
