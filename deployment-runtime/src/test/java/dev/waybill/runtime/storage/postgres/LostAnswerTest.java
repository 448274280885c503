package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunFilter;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Connections that break after a commit, before its answer. */
class LostAnswerTest {

    private static final Owner OWNER = new Owner("workspace");

    private final RuntimeDatabase database = new RuntimeDatabase();
    private final LostAnswerProxy proxy = new LostAnswerProxy(database.port());
    private final Storage storage = database.openAt(proxy.port());
    private final UUID thread = UUID.randomUUID();

    LostAnswerTest() throws IOException {
    }

    @AfterEach
    void close() throws IOException {
        storage.close();
        proxy.close();
    }

    @Test
    void runBeginsOnceIfTheAnswerOfItsStatementIsLost() {
        await(storage.threads().create(OWNER, new NewThread(thread, "{}", "{}", null)));
        NewRun run = newRun(null);

        proxy.loseAnswer("SELECT 1");

        assertRunsOnce(run, await(storage.runs().begin(run)));
    }

    @Test
    void runBeginsOnceIfTheAnswerOfItsThreadsCreationIsLost() {
        NewRun run = newRun(new NewThread(thread, "{}", "{}", null));

        proxy.loseAnswer("SELECT 1");

        assertRunsOnce(run, await(storage.runs().begin(run)));
    }

    @Test
    void runWaitsOnceIfTheAnswerOfItsCommitIsLost() {
        NewThread created = new NewThread(thread, "{}", "{}", null);
        await(storage.runs().begin(newRun(created)));

        proxy.loseAnswer("COMMIT");

        assertThat(await(storage.runs().begin(newRun(created)))).isEqualTo(new Begun.Queued(List.of()));
        assertThat(proxy.hasLostAnswer()).isTrue();
        assertThat(runs()).extracting(StoredRun::status).containsExactly(Status.PENDING, Status.RUNNING);
    }

    private void assertRunsOnce(NewRun run, Begun begun) {
        assertThat(proxy.hasLostAnswer()).isTrue();
        RunFence fence = ((Begun.Running) begun).fence();
        assertThat(runs()).extracting(StoredRun::id).containsExactly(run.id());
        await(storage.runs().end(fence, new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false)));
        assertThat(await(storage.threads().find(OWNER, thread)).orElseThrow().status()).isEqualTo(ThreadStatus.IDLE);
    }

    private List<StoredRun> runs() {
        return await(storage.runs().list(OWNER, thread, new RunFilter(null, 10, 0)));
    }

    private NewRun newRun(@Nullable NewThread created) {
        return new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN, UUID.randomUUID(), UUID.randomUUID(),
                MultitaskStrategy.ENQUEUE, "{}", new byte[0], null, created);
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(Duration.ofSeconds(60));
    }
}
