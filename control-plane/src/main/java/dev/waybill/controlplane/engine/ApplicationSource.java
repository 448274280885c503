package dev.waybill.controlplane.engine;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.source.Credential;

/** The origin of an application's code. */
public sealed interface ApplicationSource {

    /**
     * A commit in a git repository.
     *
     * @param id the full commit id, resolved when the revision was created
     * @param configPath path of the configuration file within the repository, for example {@code services/chat/langgraph.json};
     *        its folder is the application's directory
     * @param credential null for a public repository
     * @param installCommand replaces the default install command; runs in the application's directory
     * @param buildCommand runs after the install command
     */
    record Commit(String url, String id, String configPath, @Nullable Credential credential,
            @Nullable String installCommand, @Nullable String buildCommand) implements ApplicationSource {
    }

    /** A prebuilt container image. */
    record Image(String uri) implements ApplicationSource {
    }
}
