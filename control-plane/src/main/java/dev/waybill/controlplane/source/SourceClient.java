package dev.waybill.controlplane.source;

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
}
