package dev.waybill.controlplane.engine;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.source.Credential;

/** Where an application comes from. */
public sealed interface ApplicationSource {

    /**
     * A commit of a repository.
     *
     * @param id the whole commit id, resolved when the revision was created
     * @param configPath of the configuration file within the repository, for example {@code services/chat/langgraph.json}; its
     *        folder is the application's
     * @param credential null for a public repository
     * @param installCommand run in the application's folder instead of what its dependencies would have
     * @param buildCommand run after it
     */
    record Commit(String url, String id, String configPath, @Nullable Credential credential,
            @Nullable String installCommand, @Nullable String buildCommand) implements ApplicationSource {
    }

    /** A container image that is made already. */
    record Image(String uri) implements ApplicationSource {
    }
}
