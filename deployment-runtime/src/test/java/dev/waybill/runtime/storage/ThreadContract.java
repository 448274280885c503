package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.Created;
import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;
import dev.waybill.runtime.storage.ThreadStorage.MetadataTooLargeException;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadChange;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadOrder;
import dev.waybill.runtime.storage.ThreadStorage.ThreadPage;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import dev.waybill.runtime.storage.ThreadStorage.TimeToLive;

/** Contract of {@link ThreadStorage}. */
public abstract class ThreadContract extends StorageContract {

    @Test
    void createdThreadIsIdleAndEmpty() {
        UUID id = UUID.randomUUID();

        StoredThread thread = create(OWNER, id, "{\"a\":1}");

        assertThat(thread).isEqualTo(find(thread));
        assertThat(thread.key().thread()).isEqualTo(id);
        assertThat(thread.status()).isEqualTo(ThreadStatus.IDLE);
        assertThat(thread.metadata()).isEqualTo("{\"a\":1}");
        assertThat(thread.values()).isEmpty();
        assertThat(thread.stateUpdatedAt()).isNull();
        assertThat(await(storage.threads().stateUpdatedAt(OWNER, id))).isEmpty();
    }

    @Test
    void existingThreadIsReturnedToItsOwnerOnly() {
        StoredThread thread = createThread();
        NewThread again = new NewThread(thread.key().thread(), "{\"b\":2}", "{}", null);

        Created own = await(storage.threads().create(OWNER, again));
        Created foreign = await(storage.threads().create(OTHER, again));

        assertThat(own).isEqualTo(new Created.Existing(thread));
        assertThat(foreign).isEqualTo(new Created.Conflict());
    }

    @Test
    void anotherOwnerSeesNothing() {
        StoredThread thread = createThread();
        UUID id = thread.key().thread();

        assertThat(await(storage.threads().find(OTHER, id))).isEmpty();
        assertThat(await(storage.threads().update(OTHER, id, new ThreadChange("{}", null)))).isEmpty();
        assertThat(await(storage.threads().delete(OTHER, id))).isFalse();
        assertThat(await(storage.threads().search(OTHER, ThreadFilter.newest(10))).total()).isZero();
        assertThat(find(thread)).isEqualTo(thread);
    }

    @Test
    void idsAreThoseOfAPageOfThreads() {
        UUID first = createThread().key().thread();
        UUID second = createThread().key().thread();

        List<UUID> newest = await(storage.threads().ids(OWNER, ThreadFilter.newest(10)));
        List<UUID> byStatus = await(storage.threads().ids(OWNER, new ThreadFilter(List.of(first), null, null,
                ThreadStatus.IDLE, ThreadOrder.STATUS, true, 10, 0)));

        assertThat(newest).containsExactlyInAnyOrder(first, second);
        assertThat(byStatus).containsExactly(first);
        assertThat(await(storage.threads().ids(OWNER, ThreadFilter.newest(1)))).hasSize(1);
        assertThat(await(storage.threads().ids(OTHER, ThreadFilter.newest(10)))).isEmpty();
    }

    @Test
    void updateMergesMembersAndReplacesNestedOnes() {
        StoredThread thread = create(OWNER, UUID.randomUUID(), "{\"a\":{\"x\":1},\"b\":2}");

        StoredThread updated = await(storage.threads().update(OWNER, thread.key().thread(),
                new ThreadChange("{\"a\":{\"y\":2},\"c\":null}", new TimeToLive(5, ExpiryStrategy.DELETE)))).orElseThrow();

        assertThat(updated.metadata()).isEqualTo("{\"a\":{\"y\":2},\"b\":2,\"c\":null}");
        assertThat(updated.ttl()).isEqualTo(new TimeToLive(5, ExpiryStrategy.DELETE));
        assertThat(updated.updatedAt()).isAfter(thread.updatedAt());
        assertThat(find(thread)).isEqualTo(updated);
    }

    @Test
    void recreatedThreadIsEmpty() {
        StoredThread thread = createThread();
        await(storage.runs().end(start(thread), success(Map.of("a", new ChannelValue("1", "1")), Set.of("a"))));

        assertThat(await(storage.threads().delete(OWNER, thread.key().thread()))).isTrue();
        StoredThread again = create(OWNER, thread.key().thread(), "{}");
        await(storage.threads().expire(1000));

        assertThat(again.key().key()).isNotEqualTo(thread.key().key());
        assertThat(find(again).values()).isEmpty();
        assertThat(await(storage.threads().expire(1000))).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a": "x"}                  | true
            {"a": "y"}                  | false
            {"n": 1.0}                  | true
            {"n": "1"}                  | false
            {"t": true, "z": null}      | true
            {"t": false}                | false
            {"o": {"p": {"q": "r"}}}    | true
            {"o": {"p": {"q": "s"}}}    | false
            {"o": {}}                   | true
            {"l": [3, 1]}               | true
            {"l": [{"k": "v"}]}         | true
            {"l": [4]}                  | false
            {"we ird\\"$.k[0]": "it's"} | true
            {"missing": null}           | false
            {}                          | true
            """)
    void metadataFilterSelectsObjectsThatContainIt(String filter, boolean matches) {
        create(OWNER, UUID.randomUUID(), """
                {"a": "x", "n": 1, "t": true, "z": null, "o": {"p": {"q": "r", "more": 1}}, "l": [1, 2, 3, {"k": "v"}],
                 "we ird\\"$.k[0]": "it's"}""");

        ThreadPage page = await(storage.threads().search(OWNER, filter(filter, null, null)));

        assertThat(page.threads()).hasSize(matches ? 1 : 0);
        assertThat(page.total()).isEqualTo(matches ? 1 : 0);
    }

    @Test
    void valuesFilterSelectsByChannels() {
        StoredThread thread = createThread();
        await(storage.runs().end(start(thread), success(Map.of("topic", new ChannelValue("1", "\"rain\""),
                "messages", new ChannelValue("1", "[{\"id\":\"m1\",\"content\":\"hello\"}]")), Set.of("topic", "messages"))));
        createThread();

        assertThat(await(storage.threads().count(OWNER, filter(null, "{\"topic\":\"rain\"}", null)))).isOne();
        assertThat(await(storage.threads().count(OWNER, filter(null, "{\"messages\":[{\"id\":\"m1\"}]}", null)))).isOne();
        assertThat(await(storage.threads().count(OWNER, filter(null, "{\"topic\":\"snow\"}", null)))).isZero();
    }

    @Test
    void statusFilterAndStatusFollowTheRuns() {
        StoredThread idle = createThread();
        StoredThread busy = createThread();
        StoredThread failed = createThread();
        start(busy);
        await(storage.runs().end(start(failed), new RunEnd(Status.ERROR, "{\"error\":\"E\"}", ThreadStatus.ERROR,
                new State(Map.of(), Set.of(), "{}", null), false)));

        assertThat(find(busy).status()).isEqualTo(ThreadStatus.BUSY);
        assertThat(find(failed).error()).isEqualTo("{\"error\":\"E\"}");
        for (StoredThread expected : List.of(idle, busy, failed)) {
            assertThat(await(storage.threads().search(OWNER, filter(null, null, find(expected).status()))).threads())
                    .extracting(StoredThread::key).containsExactly(expected.key());
        }
    }

    @Test
    void pagesFollowTheOrder() {
        List<StoredThread> threads = Stream.generate(this::createThread).limit(5).toList();
        await(storage.threads().update(OWNER, threads.get(1).key().thread(), new ThreadChange("{\"x\":1}", null)));

        ThreadPage newest = await(storage.threads().search(OWNER,
                new ThreadFilter(List.of(), null, null, null, ThreadOrder.CREATED_AT, false, 2, 1)));
        ThreadPage updated = await(storage.threads().search(OWNER,
                new ThreadFilter(List.of(), null, null, null, ThreadOrder.UPDATED_AT, false, 1, 0)));
        ThreadPage selected = await(storage.threads().search(OWNER, new ThreadFilter(
                List.of(threads.get(4).key().thread(), threads.get(0).key().thread()), null, null, null,
                ThreadOrder.CREATED_AT, true, 10, 0)));

        assertThat(newest.total()).isEqualTo(5);
        assertThat(newest.threads()).extracting(StoredThread::key)
                .containsExactly(threads.get(3).key(), threads.get(2).key());
        assertThat(updated.threads()).extracting(StoredThread::key).containsExactly(threads.get(1).key());
        assertThat(selected.threads()).extracting(StoredThread::key)
                .containsExactly(threads.get(0).key(), threads.get(4).key());
    }

    @Test
    void expiredThreadsAreDeletedUnlessTheyAreBusy() {
        TimeToLive ttl = new TimeToLive(5, ExpiryStrategy.DELETE);
        StoredThread expired = createWithTtl(ttl);
        StoredThread busy = createWithTtl(ttl);
        StoredThread used = createWithTtl(ttl);
        start(busy);

        clock.advance(Duration.ofMinutes(4));
        await(storage.runs().end(start(used), success()));
        clock.advance(Duration.ofMinutes(2));
        await(storage.threads().expire(100));

        assertThat(await(storage.threads().find(OWNER, expired.key().thread()))).isEmpty();
        assertThat(find(busy).key()).isEqualTo(busy.key());
        assertThat(find(used).key()).isEqualTo(used.key());
    }

    @Test
    void metadataAboveItsLimitIsRejected() {
        StoredThread thread = create(OWNER, UUID.randomUUID(), "{\"a\":\"" + "x".repeat(65_526) + "\"}");
        ThreadChange change = new ThreadChange("{\"b\":1}", null);

        assertThatThrownBy(() -> await(storage.threads().update(OWNER, thread.key().thread(), change)))
                .isInstanceOf(MetadataTooLargeException.class).hasMessageContaining("65540 bytes; at most 65536");
        assertThatThrownBy(() -> create(OWNER, UUID.randomUUID(), "{\"a\":\"" + "ü".repeat(32_765) + "\"}"))
                .isInstanceOf(MetadataTooLargeException.class);
        assertThat(find(thread)).isEqualTo(thread);
    }

    private StoredThread createWithTtl(TimeToLive ttl) {
        Created created = await(storage.threads().create(OWNER, new NewThread(UUID.randomUUID(), "{}", "{}", ttl)));
        return ((Created.New) created).thread();
    }

    private static ThreadFilter filter(@Nullable String metadata, @Nullable String values, @Nullable ThreadStatus status) {
        return new ThreadFilter(List.of(), metadata, values, status, ThreadOrder.CREATED_AT, false, 10, 0);
    }
}
