package dev.waybill.runtime.assistant;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.id.Ids;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.storage.AssistantStorage.AssistantFilter;
import dev.waybill.runtime.storage.AssistantStorage.AssistantPage;
import dev.waybill.runtime.storage.AssistantStorage.Change;
import dev.waybill.runtime.storage.AssistantStorage.Created;
import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;
import dev.waybill.runtime.storage.AssistantStorage.VersionFilter;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadOrder;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** The assistants of an owner: those of the graphs, which cannot be changed, and stored ones. */
@Singleton
public class AssistantService {

    private static final int THREADS_OF_A_BATCH = 100;

    private final AssistantCatalog catalog;
    private final RuntimeStorage storage;
    private final Ids ids;

    AssistantService(AssistantCatalog catalog, RuntimeStorage storage, Ids ids) {
        this.catalog = catalog;
        this.storage = storage;
        this.ids = ids;
    }

    /** Returns the assistant of a graph by its name or id, or a stored one by its id; fails with 404 if there is none. */
    public Uni<StoredAssistant> find(Owner owner, String nameOrId) {
        Optional<StoredAssistant> ofGraph = catalog.find(nameOrId);
        return ofGraph.isPresent() ? Uni.createFrom().item(ofGraph.get())
                : findStored(owner, nameOrId).map(found -> found.orElseThrow(catalog::missing));
    }

    /** Returns whether an assistant is that of a graph. */
    public boolean isOfGraph(StoredAssistant assistant) {
        return catalog.all().contains(assistant);
    }

    private Uni<Optional<StoredAssistant>> findStored(Owner owner, String id) {
        Optional<UUID> stored = storage.find().isEmpty() ? Optional.empty() : idOf(id);
        return stored.isEmpty() ? Uni.createFrom().item(Optional.empty())
                : storage.execute(opened -> opened.assistants().find(owner, stored.get()));
    }

    private static Optional<UUID> idOf(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    Uni<StoredAssistant> create(Owner owner, CreateAssistantRequest request) {
        UUID id = request.assistantId() == null ? ids.newId() : request.assistantId();
        Optional<StoredAssistant> ofGraph = catalog.find(id.toString());
        return storage.execute(opened -> ofGraph.isPresent()
                ? Uni.createFrom().item(new Created.Existing(ofGraph.get()))
                : opened.assistants().create(owner, id, request.settings()))
                .map(created -> switch (created) {
                    case Created.New made -> made.assistant();
                    case Created.Existing existing when request.returnsExisting() -> existing.assistant();
                    case Created.Existing ignored -> throw exists(id);
                    case Created.Conflict ignored -> throw exists(id);
                });
    }

    private static ProblemException exists(UUID assistant) {
        return ProblemException.conflict("The assistant " + assistant
                + " exists; send another assistant_id, or if_exists do_nothing to use an assistant of your own.");
    }

    Uni<AssistantPage> search(Owner owner, AssistantFilter filter) {
        AssistantSearch search = new AssistantSearch(catalog.all(), filter);
        return storage.find().isEmpty() ? Uni.createFrom().item(search.page(new AssistantPage(List.of(), 0)))
                : storage.execute(opened -> opened.assistants().search(owner, search.ofStored())).map(search::page);
    }

    Uni<StoredAssistant> update(Owner owner, String assistant, Change change) {
        return withStored(assistant, (opened, id) -> opened.assistants().update(owner, id, change))
                .map(found -> found.orElseThrow(catalog::missing));
    }

    /** Deletes an assistant; its threads first, so that a repeated request deletes those that are left. */
    Uni<Void> delete(Owner owner, String assistant, boolean deleteThreads) {
        return withStored(assistant, (opened, id) -> opened.assistants().find(owner, id)
                .call(found -> found.isPresent() && deleteThreads ? deleteThreads(opened, owner, id)
                        : Uni.createFrom().voidItem())
                .chain(found -> found.isEmpty() ? Uni.createFrom().item(false) : opened.assistants().delete(owner, id)))
                .invoke(deleted -> {
                    if (!deleted) {
                        throw catalog.missing();
                    }
                })
                .replaceWithVoid();
    }

    private static Uni<Void> deleteThreads(Storage opened, Owner owner, UUID assistant) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("assistant_id", assistant.toString());
        ThreadFilter filter = new ThreadFilter(List.of(), metadata.toString(), null, null, ThreadOrder.CREATED_AT, true,
                THREADS_OF_A_BATCH, 0);
        return Uni.createFrom().deferred(() -> opened.threads().ids(owner, filter)
                .call(page -> Multi.createFrom().iterable(page)
                        .onItem().transformToUniAndConcatenate(thread -> opened.threads().delete(owner, thread))
                        .collect().last()))
                .repeat().until(List::isEmpty)
                .collect().last()
                .replaceWithVoid();
    }

    /** Returns versions of an assistant, newest first; that of a graph has one. */
    Uni<List<StoredAssistant>> versions(Owner owner, String assistant, VersionFilter filter) {
        Optional<StoredAssistant> ofGraph = catalog.find(assistant);
        if (ofGraph.isPresent()) {
            return Uni.createFrom().item(ofGraph.stream().skip(filter.offset())
                    .filter(found -> AssistantSearch.contains(found, filter.metadata())).toList());
        }
        return withStored(assistant, (opened, id) -> opened.assistants().versions(owner, id, filter))
                .map(found -> found.orElseThrow(catalog::missing));
    }

    Uni<StoredAssistant> setLatest(Owner owner, String assistant, int version) {
        return withStored(assistant, (opened, id) -> opened.assistants().setLatest(owner, id, version))
                .map(found -> found.orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "The assistant " + assistant + " has no version " + version + ", or does not exist.")));
    }

    private <T> Uni<T> withStored(String assistant, StoredOperation<T> operation) {
        return storage.execute(opened -> {
            if (catalog.find(assistant).isPresent()) {
                throw ProblemException.conflict("The assistant of a graph cannot be changed or deleted; create an assistant "
                        + "of the graph with POST /assistants.");
            }
            return operation.execute(opened, idOf(assistant).orElseThrow(catalog::missing));
        });
    }

    /** An operation on a stored assistant. */
    @FunctionalInterface
    private interface StoredOperation<T> {

        Uni<T> execute(Storage opened, UUID assistant);
    }

    /** Returns the text of an object; null for none. */
    static @Nullable String textOrNull(@Nullable ObjectNode object) {
        return object == null ? null : object.toString();
    }

    /** Returns the text of an object; that of an empty one for none. */
    static String text(@Nullable ObjectNode object) {
        return object == null ? "{}" : object.toString();
    }
}
