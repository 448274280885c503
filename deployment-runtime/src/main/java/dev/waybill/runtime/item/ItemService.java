package dev.waybill.runtime.item;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.storage.ItemStorage.Item;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.ItemStorage.ItemResult;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;

/** Items of an owner. */
@Singleton
class ItemService {

    private static final int MAX_VALUE_BYTES = 1 << 20;

    private final RuntimeStorage storage;

    ItemService(RuntimeStorage storage) {
        this.storage = storage;
    }

    Uni<Void> put(Owner owner, PutItemRequest request) {
        String value = request.value().toString();
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_VALUE_BYTES) {
            throw new ProblemException(CommonProblem.TOO_LARGE,
                    "The value has " + bytes + " bytes; at most " + MAX_VALUE_BYTES + " are allowed.");
        }
        return execute(owner, new ItemOperation.Put(request.namespace(), request.key(), value, request.ttlMinutes()),
                ItemResult.Stored.class).replaceWithVoid();
    }

    Uni<Optional<Item>> find(Owner owner, ItemKey key, boolean refreshTtl) {
        return execute(owner, new ItemOperation.Get(key.namespace(), key.key(), refreshTtl), ItemResult.Found.class)
                .map(found -> Optional.ofNullable(found.item()));
    }

    Uni<Void> delete(Owner owner, DeleteItemRequest request) {
        return execute(owner, new ItemOperation.Put(request.namespace(), request.key(), null, null), ItemResult.Stored.class)
                .replaceWithVoid();
    }

    Uni<List<Item>> search(Owner owner, SearchItemsRequest request) {
        return execute(owner, request.operation(), ItemResult.Items.class).map(ItemResult.Items::items);
    }

    Uni<List<List<String>>> namespaces(Owner owner, SearchNamespacesRequest request) {
        return execute(owner, request.operation(), ItemResult.NamespaceList.class).map(ItemResult.NamespaceList::namespaces);
    }

    private <R extends ItemResult> Uni<R> execute(Owner owner, ItemOperation operation, Class<R> type) {
        return storage.execute(opened -> opened.items().batch(owner, List.of(operation)))
                .map(results -> type.cast(results.getFirst()));
    }
}
