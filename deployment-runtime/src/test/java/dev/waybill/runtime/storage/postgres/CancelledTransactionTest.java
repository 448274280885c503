package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CancellingProxy;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/**
 * The end of a transaction that is cancelled leaves it open and aborted; the next call gets the same connection. If its
 * beginning is cancelled, its statements must not be executed outside of it.
 */
class CancelledTransactionTest {

    private static final Owner OWNER = new Owner("workspace");
    private static final RunEnd SUCCESS = new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false);

    private final RuntimeDatabase database = new RuntimeDatabase();
    private final CancellingProxy proxy = new CancellingProxy(database.port());
    private final Storage storage = database.openAt(proxy.port());
    private final UUID thread = UUID.randomUUID();

    CancelledTransactionTest() throws IOException {
    }

    @AfterEach
    void close() throws IOException {
        storage.close();
        proxy.close();
    }

    @Test
    void cancelledCommitDoesNotFailTheNextCall() {
        proxy.cancelNext("COMMIT");

        assertThatExceptionOfType(StorageException.class).isThrownBy(this::createThread).matches(DeploymentSql::isUncertain);

        assertThat(proxy.hasCancelled()).isTrue();
        assertThat(await(storage.threads().find(OWNER, thread))).isEmpty();
        createThread();
        assertThat(await(storage.threads().find(OWNER, thread))).isPresent();
    }

    @Test
    void cancelledCommitOfAStartDoesNotFailTheNextCall() {
        RunFence running = runBefore(newRun());

        proxy.cancelNext("COMMIT");
        await(storage.runs().end(running, SUCCESS));

        assertThat(proxy.hasCancelled()).isTrue();
        assertThat(await(Uni.join().all(Stream.generate(() -> storage.threads().find(OWNER, thread)).limit(16).toList())
                .andFailFast())).as("with all connections").doesNotContain(Optional.empty());
    }

    @Test
    void nextRunIsNotStartedIfTheBeginningIsCancelled() {
        NewRun next = newRun();
        RunFence running = runBefore(next);

        proxy.cancelNext("BEGIN");
        assertThat(await(storage.runs().end(running, SUCCESS))).isEmpty();

        assertThat(proxy.hasCancelled()).isTrue();
        assertThat(await(storage.runs().find(OWNER, thread, next.id())).orElseThrow().status()).isEqualTo(Status.PENDING);
    }

    /** Starts a run, and adds another one, which waits for it. */
    private RunFence runBefore(NewRun next) {
        createThread();
        RunFence running = ((Begun.Running) await(storage.runs().begin(newRun()))).fence();
        await(storage.runs().begin(next));
        return running;
    }

    private void createThread() {
        await(storage.threads().create(OWNER, new NewThread(thread, "{}", "{}", null)));
    }

    private NewRun newRun() {
        return new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN, UUID.randomUUID(), UUID.randomUUID(),
                MultitaskStrategy.ENQUEUE, "{}", new byte[0], null, null);
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(Duration.ofSeconds(60));
    }
}
