package dev.waybill.controlplane.source;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * Port to repositories (interface.md 2.1, contract.md "Deployment management"). URLs, refs and responses of hosts are
 * untrusted: implementations limit time and size and restrict addresses. Failures that a user can cause are results
 * with a reason, without credentials, not exceptions. Cancelling a Uni aborts its work.
 */
public interface SourceClient {

    /**
     * Resolves {@code ref} to its current commit. Called once for each revision before its build, and again after a
     * crash; results are not cached.
     *
     * @param repositoryUrl an https, ssh or, if {@link SourceConfig#allowFile} is set, file URL
     * @param ref a branch, {@code refs/...}, a tag or a full commit id
     */
    Uni<Resolution> resolve(String repositoryUrl, String ref, @Nullable Credential credential);

    /** Lists the repositories of an integration, for {@code GET .../repos}. */
    Uni<RepositoryListing> repositories(RepositoryHost host);

    /** The result of resolving a ref. */
    public sealed interface Resolution {

        /** @param commit the full commit id */
        record Resolved(String commit) implements Resolution {
        }

        /** The repository is accessible but does not have the ref. Fails the build. */
        record RefNotFound(String reason) implements Resolution {
        }

        /**
         * The repository is not accessible. Fails the revision's creation, immediately or when the retries have timed out.
         *
         * @param reason one sentence for the user, without secrets, that says how to fix it
         * @param retryable whether a retry can succeed: true if the host does not respond, false if it rejects the
         *        credential
         */
        record Unreachable(String reason, boolean retryable) implements Resolution {
        }
    }

    /** The result of listing the repositories of a host. */
    public sealed interface RepositoryListing {

        /** The repositories in the host's order, truncated to the maximum of one response. */
        record Found(List<Listed> repositories) implements RepositoryListing {

            public Found {
                repositories = List.copyOf(repositories);
            }
        }

        /** @param reason one sentence for the user, without secrets, that says how to fix it */
        record Failed(String reason) implements RepositoryListing {
        }

        /**
         * @param owner the account or group
         * @param name the name within the owner
         * @param url valid as a deployment's {@code repo_url}
         */
        record Listed(String owner, String name, String url, @Nullable String defaultBranch, boolean isPrivate) {
        }
    }

    /**
     * An account at a repository host.
     *
     * @param baseUrl the prefix of all repositories of the account, for example {@code https://github.com/acme}
     * @param installationId the provider's id of the installation
     * @param account the account's name at the provider
     */
    public record RepositoryHost(Provider provider, String baseUrl, long installationId, String account,
            @Nullable Credential credential) {
    }
}
