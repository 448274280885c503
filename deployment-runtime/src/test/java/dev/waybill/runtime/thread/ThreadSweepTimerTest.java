package dev.waybill.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.TimeToLive;
import dev.waybill.runtime.storage.sqlite.SqliteStorage;

class ThreadSweepTimerTest {

    private static final Owner OWNER = new Owner("anybody");

    @TempDir
    Path directory;

    @Test
    void sweepDeletesEverythingThatHasExpired() {
        Clock start = Clock.systemUTC();
        try (Storage storage = SqliteStorage.open(directory, start)) {
            for (int i = 0; i <= ThreadSweepTimer.BATCH; i++) {
                create(storage, new TimeToLive(1, ExpiryStrategy.DELETE));
            }
            create(storage, new TimeToLive(10, ExpiryStrategy.DELETE));
            storage.items().batch(OWNER, List.of(new ItemOperation.Put(List.of("a"), "b", "{}", 1))).await().indefinitely();
        }

        try (Storage storage = SqliteStorage.open(directory, Clock.offset(start, Duration.ofMinutes(2)))) {
            ThreadSweepTimer.sweep(storage).await().indefinitely();

            assertThat(storage.threads().count(OWNER, ThreadFilter.newest(1)).await().indefinitely()).isOne();
            assertThat(storage.items().expire(10).await().indefinitely()).isZero();
        }
    }

    private static void create(Storage storage, TimeToLive ttl) {
        storage.threads().create(OWNER, new NewThread(UUID.randomUUID(), "{}", "{}", ttl)).await().indefinitely();
    }
}
