package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;

/** Contract of {@link RunStorage}: cancellations by strategies and by clients. */
public abstract class CancellationContract extends StorageContract {

    @ParameterizedTest
    @EnumSource(value = MultitaskStrategy.class, names = { "INTERRUPT", "ROLLBACK" })
    void strategyCancelsAllEarlierRuns(MultitaskStrategy strategy) {
        StoredThread thread = createThread();
        RunFence running = start(thread);
        NewRun pending = newRun(thread, MultitaskStrategy.ENQUEUE);
        begin(pending);

        Begun begun = begin(newRun(thread, strategy));

        assertThat(begun).isEqualTo(new Begun.Queued(List.of(running.run())));
        assertThat(find(thread, running.run()).cancel()).isEqualTo(CancelAction.valueOf(strategy.name()));
        boolean kept = strategy == MultitaskStrategy.INTERRUPT;
        assertThat(await(storage.runs().find(OWNER, thread.key().thread(), pending.id())).map(StoredRun::status))
                .isEqualTo(kept ? Optional.of(Status.INTERRUPTED) : Optional.empty());
    }

    @Test
    void cancellationEndsPendingAndMarksRunningRuns() {
        StoredThread thread = createThread();
        RunFence running = start(thread);
        NewRun pending = newRun(thread, MultitaskStrategy.ENQUEUE);
        begin(pending);
        RunSelection all = new RunSelection(thread.key().thread(), List.of(), null);

        assertThat(await(storage.runs().requestCancel(OTHER, all, CancelAction.INTERRUPT))).isZero();
        assertThat(await(storage.runs().requestCancel(OWNER, all, CancelAction.INTERRUPT))).isEqualTo(2);

        assertThat(find(thread, pending.id()).status()).isEqualTo(Status.INTERRUPTED);
        assertThat(find(thread, running.run()).status()).isEqualTo(Status.RUNNING);
        assertThat(find(thread, running.run()).cancel()).isEqualTo(CancelAction.INTERRUPT);
        end(running, new RunEnd(Status.INTERRUPTED, null, ThreadStatus.IDLE, null, false));
        assertThat(await(storage.runs().requestCancel(OWNER, all, CancelAction.INTERRUPT))).isZero();
    }

    @Test
    void cancellationSelectsRunsAndStatus() {
        StoredThread thread = createThread();
        RunFence running = start(thread);
        NewRun first = newRun(thread, MultitaskStrategy.ENQUEUE);
        NewRun second = newRun(thread, MultitaskStrategy.ENQUEUE);
        begin(first);
        begin(second);

        assertThat(await(storage.runs().requestCancel(OWNER,
                new RunSelection(null, List.of(second.id()), null), CancelAction.ROLLBACK))).isOne();
        assertThat(list(thread)).extracting(StoredRun::id).containsExactly(first.id(), running.run());
        assertThat(await(storage.runs().requestCancel(OWNER,
                new RunSelection(null, List.of(), Status.PENDING), CancelAction.INTERRUPT))).isOne();
        assertThat(find(thread, running.run()).cancel()).isNull();
    }

    @Test
    void rollbackCancelsManyRuns() {
        StoredThread thread = createThread();
        RunFence running = start(thread);
        for (int i = 0; i < 60; i++) {
            begin(newRun(thread, MultitaskStrategy.ENQUEUE));
        }
        RunSelection pending = new RunSelection(thread.key().thread(), List.of(), Status.PENDING);
        RunSelection all = new RunSelection(thread.key().thread(), List.of(), null);

        assertThat(await(storage.runs().requestCancel(OTHER, all, CancelAction.ROLLBACK))).isZero();
        assertThat(await(storage.runs().requestCancel(OWNER, pending, CancelAction.ROLLBACK))).isEqualTo(60);
        assertThat(find(thread, running.run()).cancel()).isNull();
        begin(newRun(thread, MultitaskStrategy.ENQUEUE));

        assertThat(await(storage.runs().requestCancel(OWNER, all, CancelAction.ROLLBACK))).isEqualTo(2);
        assertThat(list(thread)).extracting(StoredRun::id).containsExactly(running.run());
        assertThat(find(thread, running.run()).cancel()).isEqualTo(CancelAction.ROLLBACK);
    }
}
