package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.AssistantStorage.AssistantFilter;
import dev.waybill.runtime.storage.AssistantStorage.AssistantOrder;
import dev.waybill.runtime.storage.AssistantStorage.AssistantPage;
import dev.waybill.runtime.storage.AssistantStorage.Change;
import dev.waybill.runtime.storage.AssistantStorage.Created;
import dev.waybill.runtime.storage.AssistantStorage.Settings;
import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;
import dev.waybill.runtime.storage.AssistantStorage.VersionFilter;

/** Contract of {@link AssistantStorage}. */
public abstract class AssistantContract extends StorageContract {

    private static final Change RENAMED = new Change(null, "renamed", null, null, null, "{\"b\":2}");

    @Test
    void createdAssistantHasVersionOne() {
        StoredAssistant assistant = create("agent", "first");

        assertThat(assistant.version()).isOne();
        assertThat(assistant.settings()).isEqualTo(settings("agent", "first"));
        assertThat(find(OWNER, assistant)).contains(assistant);
        assertThat(find(OTHER, assistant)).isEmpty();
    }

    @Test
    void existingAssistantIsReturnedToItsOwnerOnly() {
        StoredAssistant assistant = create("agent", "first");
        Settings again = settings("other", "again");

        assertThat(await(storage.assistants().create(OWNER, assistant.id(), again)))
                .isEqualTo(new Created.Existing(assistant));
        assertThat(await(storage.assistants().create(OTHER, assistant.id(), again))).isEqualTo(new Created.Conflict());
    }

    @Test
    void updateAddsAVersionAndMergesMetadata() {
        StoredAssistant assistant = create("agent", "first");

        StoredAssistant updated = await(storage.assistants().update(OWNER, assistant.id(), RENAMED)).orElseThrow();

        assertThat(updated.version()).isEqualTo(2);
        assertThat(updated.settings()).isEqualTo(new Settings("agent", "renamed", null, "{}", "{}", "{\"a\":1,\"b\":2}"));
        assertThat(updated.createdAt()).isEqualTo(assistant.createdAt());
        assertThat(updated.updatedAt()).isAfter(assistant.updatedAt());
        assertThat(await(storage.assistants().update(OTHER, assistant.id(), RENAMED))).isEmpty();
    }

    @Test
    void earlierVersionBecomesTheLatest() {
        StoredAssistant assistant = create("agent", "first");
        await(storage.assistants().update(OWNER, assistant.id(), RENAMED));

        StoredAssistant latest = await(storage.assistants().setLatest(OWNER, assistant.id(), 1)).orElseThrow();
        StoredAssistant next = await(storage.assistants().update(OWNER, assistant.id(),
                new Change(null, null, "described", null, null, null))).orElseThrow();

        assertThat(latest.settings()).isEqualTo(assistant.settings());
        assertThat(latest.version()).isOne();
        assertThat(next.version()).isEqualTo(3);
        assertThat(next.settings().name()).isEqualTo("first");
        assertThat(await(storage.assistants().setLatest(OWNER, assistant.id(), 4))).isEmpty();
        assertThat(await(storage.assistants().setLatest(OTHER, assistant.id(), 1))).isEmpty();
    }

    @Test
    void versionsAreNewestFirst() {
        StoredAssistant assistant = create("agent", "first");
        await(storage.assistants().update(OWNER, assistant.id(), RENAMED));

        assertThat(versions(OWNER, assistant, null)).hasValueSatisfying(
                versions -> assertThat(versions).extracting(StoredAssistant::version).containsExactly(2, 1));
        assertThat(versions(OWNER, assistant, "{\"b\":2}")).hasValueSatisfying(
                versions -> assertThat(versions).extracting(StoredAssistant::version).containsExactly(2));
        assertThat(versions(OTHER, assistant, null)).isEmpty();
    }

    @Test
    void deletedAssistantIsGone() {
        StoredAssistant assistant = create("agent", "first");

        assertThat(await(storage.assistants().delete(OTHER, assistant.id()))).isFalse();
        assertThat(await(storage.assistants().delete(OWNER, assistant.id()))).isTrue();

        assertThat(find(OWNER, assistant)).isEmpty();
        assertThat(await(storage.assistants().create(OWNER, assistant.id(), settings("agent", "new"))))
                .isInstanceOf(Created.New.class);
    }

    @Test
    void searchSelectsAndOrders() {
        StoredAssistant first = create("agent", "Weather B");
        StoredAssistant second = create("agent", "weather a");
        StoredAssistant third = create("other", "Mail");
        await(storage.assistants().update(OWNER, third.id(), new Change(null, null, null, null, null, "{\"c\":[1]}")));

        assertThat(search(new AssistantFilter("agent", null, null, AssistantOrder.CREATED_AT, false, 10, 0)))
                .containsExactly(second.id(), first.id());
        assertThat(search(new AssistantFilter(null, "WEATHER", null, AssistantOrder.CREATED_AT, true, 10, 0)))
                .containsExactly(first.id(), second.id());
        assertThat(search(new AssistantFilter(null, null, "{\"c\":[1]}", AssistantOrder.UPDATED_AT, false, 10, 0)))
                .containsExactly(third.id());
        AssistantPage page = await(storage.assistants().search(OWNER,
                new AssistantFilter(null, null, null, AssistantOrder.NAME, true, 1, 1)));
        assertThat(page.total()).isEqualTo(3);
        assertThat(page.assistants()).extracting(StoredAssistant::id).containsExactly(first.id());
    }

    private StoredAssistant create(String graph, String name) {
        Created created = await(storage.assistants().create(OWNER, UUID.randomUUID(), settings(graph, name)));
        clock.advance(Duration.ofMillis(1));
        return ((Created.New) created).assistant();
    }

    private Optional<StoredAssistant> find(Owner owner, StoredAssistant assistant) {
        return await(storage.assistants().find(owner, assistant.id()));
    }

    private Optional<List<StoredAssistant>> versions(Owner owner, StoredAssistant assistant,
            @Nullable String metadata) {
        return await(storage.assistants().versions(owner, assistant.id(), new VersionFilter(metadata, 10, 0)));
    }

    private List<UUID> search(AssistantFilter filter) {
        return await(storage.assistants().search(OWNER, filter)).assistants().stream().map(StoredAssistant::id).toList();
    }

    private static Settings settings(String graph, String name) {
        return new Settings(graph, name, null, "{}", "{}", "{\"a\":1}");
    }
}
