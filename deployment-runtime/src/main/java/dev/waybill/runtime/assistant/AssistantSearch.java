package dev.waybill.runtime.assistant;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.storage.AssistantStorage.AssistantFilter;
import dev.waybill.runtime.storage.AssistantStorage.AssistantPage;
import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;
import dev.waybill.runtime.storage.JsonText;

/** A search for assistants of graphs and stored ones, as one list. */
final class AssistantSearch {

    private final List<StoredAssistant> ofGraphs;
    private final AssistantFilter filter;
    private final int firstStored;

    /** @param ofGraphs the assistants of graphs, few */
    AssistantSearch(List<StoredAssistant> ofGraphs, AssistantFilter filter) {
        this.filter = filter;
        this.ofGraphs = ofGraphs.stream().filter(this::matches).toList();
        this.firstStored = Math.max(0, filter.offset() - this.ofGraphs.size());
    }

    private boolean matches(StoredAssistant assistant) {
        String graph = assistant.settings().graph();
        String name = filter.name();
        return (filter.graph() == null || graph.equals(filter.graph()))
                && (name == null || graph.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT)))
                && contains(assistant, filter.metadata());
    }

    /** Returns whether the metadata of a graph's assistant contains an object; null: any. */
    static boolean contains(StoredAssistant assistant, @Nullable String metadata) {
        JsonNode actual = JsonText.parse(assistant.settings().metadata());
        return metadata == null || JsonText.object(metadata).properties().stream()
                .allMatch(member -> member.getValue().equals(actual.get(member.getKey())));
    }

    /** Returns the filter of the stored assistants: those of graphs may precede as many of the page as there are. */
    AssistantFilter ofStored() {
        return new AssistantFilter(filter.graph(), filter.name(), filter.metadata(), filter.order(), filter.ascending(),
                filter.limit() + ofGraphs.size(), firstStored);
    }

    /** Returns the page of all assistants for that of the stored ones. */
    AssistantPage page(AssistantPage stored) {
        List<StoredAssistant> assistants = Stream.concat(stored.assistants().stream(), ofGraphs.stream())
                .sorted(order())
                .skip((long) filter.offset() - firstStored)
                .limit(filter.limit())
                .toList();
        return new AssistantPage(assistants, stored.total() + ofGraphs.size());
    }

    private Comparator<StoredAssistant> order() {
        Comparator<StoredAssistant> ascending = switch (filter.order()) {
            case ASSISTANT_ID -> comparingText(assistant -> assistant.id().toString());
            case GRAPH_ID -> comparingText(assistant -> assistant.settings().graph());
            case NAME -> comparingText(assistant -> assistant.settings().name());
            case CREATED_AT -> Comparator.comparing(StoredAssistant::createdAt);
            case UPDATED_AT -> Comparator.comparing(StoredAssistant::updatedAt);
        };
        return filter.ascending() ? ascending : ascending.reversed();
    }

    /** Storages order texts by their bytes. */
    private static Comparator<StoredAssistant> comparingText(Function<StoredAssistant, String> member) {
        return Comparator.comparing(member.andThen(text -> text.getBytes(StandardCharsets.UTF_8)), Arrays::compareUnsigned);
    }
}
