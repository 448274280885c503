package dev.waybill.runtime.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.checkpoint.ValueReferences.InlineSpace;
import dev.waybill.runtime.checkpoint.ValueReferences.Reference;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.SerializedValue;
import dev.waybill.runtime.protocol.StoreOperation;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;
import dev.waybill.runtime.storage.ItemStorage.Item;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.ItemStorage.ItemResult;
import dev.waybill.runtime.storage.ItemStorage.NamespaceMatch;

/** Converts a worker's operations on the store, and the results of one batch. */
final class StoredItems {

    private static final String TYPE = "json";

    private final ValueReferences references;
    private final InlineSpace space;

    StoredItems(ValueReferences references, InlineSpace space) {
        this.references = references;
        this.space = space;
    }

    /** @throws RequestException if the storage does not accept a member */
    static ItemOperation operation(StoreOperation operation) {
        return switch (operation) {
            case StoreOperation.Get get -> new ItemOperation.Get(labels(get.namespace()), get.key(), get.refreshTtl());
            case StoreOperation.Put put -> new ItemOperation.Put(labels(put.namespace()), put.key(), text(put.value()),
                    minutes(put.ttlMinutes()));
            case StoreOperation.Search search -> new ItemOperation.Search(labels(search.prefix()), text(search.filter()),
                    search.limit(), search.offset(), search.refreshTtl());
            case StoreOperation.Namespaces namespaces -> new ItemOperation.Namespaces(namespaces.match().stream()
                    .map(match -> new NamespaceMatch(!match.suffix(), labels(match.path()))).toList(), namespaces.maxDepth(),
                    namespaces.limit(), namespaces.offset());
        };
    }

    private static List<String> labels(List<String> labels) {
        if (labels.stream().anyMatch(label -> label.contains("."))) {
            throw new RequestException(Code.INVALID_PARAMS, "Labels of a namespace must not contain full stops.");
        }
        return labels;
    }

    private static @Nullable String text(byte @Nullable [] json) {
        return json == null ? null : new String(json, StandardCharsets.UTF_8);
    }

    private static @Nullable Integer minutes(@Nullable Double ttl) {
        if (ttl == null) {
            return null;
        }
        if (!(ttl > 0)) {
            throw new RequestException(Code.INVALID_PARAMS, "`ttl` must be greater than 0.");
        }
        return (int) Math.ceil(ttl);
    }

    Outcome outcome(ItemResult result) {
        return switch (result) {
            case ItemResult.Found found -> found.item() == null ? new Outcome.None() : new Outcome.Found(item(found.item()));
            case ItemResult.Stored ignored -> new Outcome.None();
            case ItemResult.Items items -> new Outcome.Items(items.items().stream().map(this::item).toList());
            case ItemResult.NamespaceList list -> new Outcome.Labels(list.namespaces());
        };
    }

    private StoreOperation.Item item(Item item) {
        byte[] json = item.value().getBytes(StandardCharsets.UTF_8);
        SerializedValue value = space.tryTake(json.length)
                ? SerializedValue.of(TYPE, json)
                : SerializedValue.reference(TYPE,
                        references.name(new Reference.OfItem(item.namespace(), item.key(), item.updatedAt())), json.length);
        return new StoreOperation.Item(item.namespace(), item.key(), value, item.createdAt(), item.updatedAt());
    }
}
