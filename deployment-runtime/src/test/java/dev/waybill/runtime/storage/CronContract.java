package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.AssistantStorage.Settings;
import dev.waybill.runtime.storage.CronStorage.CronFilter;
import dev.waybill.runtime.storage.CronStorage.CronOrder;
import dev.waybill.runtime.storage.CronStorage.CronPage;
import dev.waybill.runtime.storage.CronStorage.CronSettings;
import dev.waybill.runtime.storage.CronStorage.DueCrons;
import dev.waybill.runtime.storage.CronStorage.StoredCron;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;

/** Contract of {@link CronStorage}. */
public abstract class CronContract extends StorageContract {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void createdCronIsReturnedToItsOwnerOnly() {
        CronSettings settings = new CronSettings("caller", ASSISTANT, UUID.randomUUID(), true, "0 9 * * *", "Europe/Berlin",
                clock.instant().plus(HOUR), true, "{\"input\":{\"a\":1}}", "{\"b\":2}");

        StoredCron cron = await(storage.crons().create(OWNER, UUID.randomUUID(), settings, clock.instant()));

        assertThat(cron.settings()).isEqualTo(settings);
        assertThat(cron.next()).isEqualTo(clock.instant());
        assertThat(find(cron)).contains(cron);
        assertThat(await(storage.crons().find(OTHER, cron.id()))).isEmpty();
    }

    @Test
    void changeOfAnOutdatedCronIsRejected() {
        StoredCron cron = create(null, HOUR);
        CronSettings disabled = settings(null, false, "{}");

        StoredCron changed = await(storage.crons().update(cron, disabled, null)).orElseThrow();

        assertThat(changed.settings()).isEqualTo(disabled);
        assertThat(changed.next()).isNull();
        assertThat(await(storage.crons().update(cron, cron.settings(), cron.next()))).isEmpty();
        assertThat(find(cron)).contains(changed);
    }

    @Test
    void deletedCronIsGone() {
        StoredCron cron = create(null, Duration.ZERO);

        assertThat(await(storage.crons().delete(OTHER, cron.id()))).isFalse();
        assertThat(await(storage.crons().delete(OWNER, cron.id()))).isTrue();

        assertThat(find(cron)).isEmpty();
        assertThat(fire(cron, null, run(createThread(), null))).isEmpty();
    }

    @Test
    void pageEndsBeforeItIsTooLarge() {
        String large = "{\"text\": \"%s\"}".formatted("x".repeat(CronStorage.MAX_PAGE_BYTES / 4));
        List<UUID> ids = IntStream.range(0, 6).mapToObj(i -> {
            clock.advance(Duration.ofMillis(1));
            CronSettings small = settings(null, true, "{}");
            return await(storage.crons().create(OWNER, UUID.randomUUID(), new CronSettings(small.principal(),
                    small.assistant(), null, true, small.schedule(), null, null, true, large, "{}"), null)).id();
        }).toList().reversed();

        assertThat(page(0)).containsExactlyElementsOf(ids.subList(0, 3));
        assertThat(page(3)).containsExactlyElementsOf(ids.subList(3, 6));
        assertThat(page(6)).isEmpty();
    }

    @Test
    void pageHasOneCronOfAnySize() {
        String large = "{\"text\": \"%s\"}".formatted("x".repeat(CronStorage.MAX_PAGE_BYTES));
        CronSettings small = settings(null, true, "{}");
        UUID id = await(storage.crons().create(OWNER, UUID.randomUUID(), new CronSettings(small.principal(),
                small.assistant(), null, true, small.schedule(), null, null, true, large, "{}"), null)).id();

        assertThat(page(0)).containsExactly(id);
    }

    private List<UUID> page(int offset) {
        CronPage page = await(storage.crons().search(OWNER,
                new CronFilter(null, null, null, null, CronOrder.CREATED_AT, false, 100, offset)));
        return page.crons().stream().map(StoredCron::id).toList();
    }

    @Test
    void cronIsDeletedWithItsAssistant() {
        await(storage.assistants().create(OWNER, ASSISTANT, new Settings("agent", "a", null, "{}", "{}", "{}")));
        StoredCron cron = create(null, HOUR);

        await(storage.assistants().delete(OWNER, ASSISTANT));

        assertThat(find(cron)).isEmpty();
    }

    @Test
    void dueCronsAreThoseOfAllOwnersWhoseDateHasCome() {
        StoredCron later = create(null, HOUR.multipliedBy(2));
        StoredCron second = create(null, HOUR);
        StoredCron first = await(storage.crons().create(OTHER, UUID.randomUUID(), settings(null, true, "{}"),
                clock.instant().plusSeconds(1)));
        await(storage.crons().create(OWNER, UUID.randomUUID(), settings(null, false, "{}"), clock.instant()));
        clock.advance(HOUR);

        DueCrons due = await(storage.crons().due(10));

        assertThat(due.crons()).containsExactly(first, second);
        assertThat(due.next()).isEqualTo(later.next());
        assertThat(await(storage.crons().due(1)).crons()).containsExactly(first);
    }

    @Test
    void dateIsFiredOnce() {
        StoredThread thread = createThread();
        StoredCron cron = create(thread.key().thread(), Duration.ZERO);
        Instant next = clock.instant().plus(HOUR);

        Optional<Begun> first = fire(cron, next, run(thread, null));
        Optional<Begun> second = fire(cron, next, run(thread, null));

        assertThat(first).hasValueSatisfying(begun -> assertThat(begun).isInstanceOf(Begun.Running.class));
        assertThat(second).isEmpty();
        assertThat(list(thread)).hasSize(1);
        assertThat(find(cron)).hasValueSatisfying(stored -> assertThat(stored.next()).isEqualTo(next));
        assertThat(await(storage.crons().due(10)).crons()).isEmpty();
    }

    @Test
    void firedRunCreatesItsThread() {
        StoredCron cron = create(null, Duration.ZERO);
        UUID thread = UUID.randomUUID();
        NewRun run = new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN, REPLICA, ASSISTANT, MultitaskStrategy.ENQUEUE, "{}",
                new byte[0], null, new NewThread(thread, "{}", "{}", null));

        assertThat(fire(cron, null, run)).isPresent();

        assertThat(await(storage.threads().find(OWNER, thread))).isPresent();
    }

    @Test
    void cronOfABusyThreadQueuesItsRunOrSkipsIt() {
        StoredThread thread = createThread();
        start(thread);
        StoredCron cron = create(thread.key().thread(), Duration.ZERO);

        assertThat(fire(cron, clock.instant(), run(thread, MultitaskStrategy.REJECT))).contains(new Begun.Busy());
        StoredCron again = find(cron).orElseThrow();
        assertThat(fire(again, null, run(thread, null))).contains(new Begun.Queued(List.of()));
        assertThat(list(thread)).hasSize(2);
    }

    @Test
    void cronOfADeletedThreadIsDeletedAtItsDate() {
        StoredThread thread = createThread();
        StoredCron cron = create(thread.key().thread(), Duration.ZERO);
        await(storage.threads().delete(OWNER, thread.key().thread()));

        assertThat(fire(cron, clock.instant(), run(thread, null))).contains(new Begun.NoThread());

        assertThat(find(cron)).isEmpty();
    }

    @Test
    void searchSelectsAndOrders() {
        StoredCron first = create(UUID.randomUUID(), HOUR);
        StoredCron second = create(null, HOUR.multipliedBy(2));
        StoredCron third = await(
                storage.crons().create(OWNER, UUID.randomUUID(), settings(null, false, "{\"a\":{\"b\":1}}"), null));

        assertThat(search(null, null, null, null, CronOrder.CREATED_AT, false)).containsExactly(third, second, first);
        assertThat(search(null, null, null, null, CronOrder.NEXT_RUN_DATE, true)).containsExactly(first, second, third);
        assertThat(search(null, first.settings().thread(), null, null, CronOrder.CRON_ID, true)).containsExactly(first);
        assertThat(search(ASSISTANT, null, false, null, CronOrder.THREAD_ID, true)).containsExactly(third);
        assertThat(search(null, null, null, "{\"a\":{\"b\":1}}", CronOrder.UPDATED_AT, true)).containsExactly(third);
        assertThat(search(UUID.randomUUID(), null, null, null, CronOrder.ASSISTANT_ID, true)).isEmpty();
        assertThat(await(storage.crons().search(OTHER, CronFilter.newest(10))).total()).isZero();
        assertThat(await(storage.crons().count(OWNER, CronFilter.newest(1)))).isEqualTo(3);
        assertThat(await(storage.crons().count(OTHER, CronFilter.newest(1)))).isZero();
    }

    private List<StoredCron> search(@Nullable UUID assistant, @Nullable UUID thread, @Nullable Boolean enabled,
            @Nullable String metadata, CronOrder order, boolean ascending) {
        return await(storage.crons().search(OWNER,
                new CronFilter(assistant, thread, enabled, metadata, order, ascending, 10, 0))).crons();
    }

    private StoredCron create(@Nullable UUID thread, Duration delay) {
        StoredCron cron = await(storage.crons().create(OWNER, UUID.randomUUID(), settings(thread, true, "{}"),
                clock.instant().plus(delay)));
        clock.advance(Duration.ofMillis(1));
        return cron;
    }

    private static CronSettings settings(@Nullable UUID thread, boolean enabled, String metadata) {
        return new CronSettings("caller", ASSISTANT, thread, false, "0 * * * *", null, null, enabled, "{}", metadata);
    }

    private static NewRun run(StoredThread thread, @Nullable MultitaskStrategy strategy) {
        return newRun(thread, UUID.randomUUID(), REPLICA, strategy == null ? MultitaskStrategy.ENQUEUE : strategy, null);
    }

    private Optional<Begun> fire(StoredCron cron, @Nullable Instant next, NewRun run) {
        return await(storage.crons().fire(cron, next, run));
    }

    private Optional<StoredCron> find(StoredCron cron) {
        return await(storage.crons().find(OWNER, cron.id()));
    }
}
