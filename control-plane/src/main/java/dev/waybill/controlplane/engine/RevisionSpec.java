package dev.waybill.controlplane.engine;

import java.net.URI;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.source.Credential;

/**
 * The desired state of a revision. Equal in every call for one revision, on every replica.
 *
 * @param number the revision's number within its deployment, counted from 1
 * @param name the deployment's name, a DNS label
 * @param environment the application's environment variables: the deployment's secrets and the platform's
 * @param port the deployment's unique port on this machine, the same for all of its revisions
 * @param url the deployment's address for clients
 */
public record RevisionSpec(UUID tenantId, UUID deploymentId, UUID revisionId, long number, String name,
        ApplicationSource source,
        Map<String, String> environment, ResourceSpec resources, int port, URI url) {

    public RevisionSpec {
        environment = Map.copyOf(environment);
    }

    /** Omits the values of the environment. */
    @Override
    public String toString() {
        return "RevisionSpec[deployment=" + deploymentId + ", revision=" + revisionId + ", number=" + number + ", source="
                + source
                + ", environment=" + environment.keySet() + "]";
    }

    /** The origin of an application's code. */
    public sealed interface ApplicationSource {

        /**
         * A commit in a git repository.
         *
         * @param id the full commit id, resolved when the revision was created
         * @param configPath path of the configuration file within the repository, for example {@code
         *        services/chat/langgraph.json}; its folder is the application's directory
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

    /**
     * Resource requests and limits of an application (contract.md "Deployment management"); the engine chooses a default for
     * null.
     *
     * @param cpu requested cores
     * @param cpuLimit maximum cores
     */
    public record ResourceSpec(@Nullable Integer minScale, @Nullable Integer maxScale, @Nullable Double cpu,
            @Nullable Double cpuLimit, @Nullable Integer memoryMb, @Nullable Integer memoryLimitMb) {
    }
}
