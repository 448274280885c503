package dev.waybill.runtime.storage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.ThreadStorage.MetadataTooLargeException;
import io.smallrye.mutiny.Uni;

/** Stored assistants of an owner and their versions. Those of graphs are not stored. JSON is text. */
public interface AssistantStorage {

    /** Creates an assistant with version 1, or reports that the id exists. */
    Uni<Created> create(Owner owner, UUID id, Settings settings);

    /** Returns an assistant. */
    Uni<Optional<StoredAssistant>> find(Owner owner, UUID id);

    /** Returns a page of assistants and the number of all that match. */
    Uni<AssistantPage> search(Owner owner, AssistantFilter filter);

    /** Adds a version, which becomes the current one, with changed settings; the members of the metadata are merged. */
    Uni<Optional<StoredAssistant>> update(Owner owner, UUID id, Change change);

    /** Deletes an assistant with its versions and its crons. */
    Uni<Boolean> delete(Owner owner, UUID id);

    /** Returns versions of an assistant, newest first; empty if the owner has no such assistant. */
    Uni<Optional<List<StoredAssistant>>> versions(Owner owner, UUID id, VersionFilter filter);

    /** Makes a version the current one; empty if the owner has no such assistant or version. */
    Uni<Optional<StoredAssistant>> setLatest(Owner owner, UUID id, int version);

    /** Settings of a version. */
    record Settings(String graph, String name, @Nullable String description, String config, String context, String metadata) {

        /** Returns the settings of the next version. */
        public Settings with(Change change) {
            return new Settings(
                    change.graph() == null ? graph : change.graph(),
                    change.name() == null ? name : change.name(),
                    change.description() == null ? description : change.description(),
                    change.config() == null ? config : change.config(),
                    change.context() == null ? context : change.context(),
                    change.metadata() == null ? metadata
                            : MetadataTooLargeException.requireSize(JsonText.merge(metadata, change.metadata())));
        }
    }

    /** Changes of settings; null leaves a part unchanged. */
    record Change(@Nullable String graph, @Nullable String name, @Nullable String description, @Nullable String config,
            @Nullable String context, @Nullable String metadata) {
    }

    /**
     * A version of an assistant.
     *
     * @param createdAt creation of the assistant, in a list of versions that of the version
     */
    record StoredAssistant(UUID id, int version, Settings settings, Instant createdAt, Instant updatedAt) {
    }

    /** Result of a creation. */
    sealed interface Created {

        /** The assistant was created. */
        record New(StoredAssistant assistant) implements Created {
        }

        /** The owner has an assistant with this id already. */
        record Existing(StoredAssistant assistant) implements Created {
        }

        /** Another owner has an assistant with this id. */
        record Conflict() implements Created {
        }
    }

    /**
     * Selects assistants.
     *
     * @param graph null: any
     * @param name part of the name in any case; null: any
     * @param metadata object that the metadata must contain; null: any
     */
    record AssistantFilter(@Nullable String graph, @Nullable String name, @Nullable String metadata, AssistantOrder order,
            boolean ascending, int limit, int offset) {
    }

    /** Orders of assistants; those with equal values are ordered by id. */
    enum AssistantOrder {
        /** By id. */
        ASSISTANT_ID,
        /** By graph. */
        GRAPH_ID,
        /** By name. */
        NAME,
        /** By the time of creation. */
        CREATED_AT,
        /** By the time of the last update. */
        UPDATED_AT
    }

    /** A page of assistants. */
    record AssistantPage(List<StoredAssistant> assistants, long total) {
    }

    /** Selects versions whose metadata contains an object; null: any. */
    record VersionFilter(@Nullable String metadata, int limit, int offset) {
    }
}
