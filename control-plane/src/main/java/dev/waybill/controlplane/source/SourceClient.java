package dev.waybill.controlplane.source;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * What is asked of repositories (interface.md 2.1, contract.md "Deployment management"). Addresses, references and what a host
 * answers are hostile: implementations bound time and size, guard where they connect to, and never fail with what a user could
 * have caused: that is an answer with a reason in words. Reasons hold no credential. Cancelling a Uni ends its work.
 */
public interface SourceClient {

    /**
     * The commit that {@code ref} names now. The reconciler asks once for each revision, before anything is built, and again
     * after a crash; nothing is kept between calls.
     *
     * @param repositoryUrl as the deployment has it: https, ssh or, where {@link SourceConfig#allowFile}, a file
     * @param ref a branch, {@code refs/...}, a tag or a whole commit id
     */
    Uni<Resolution> resolve(String repositoryUrl, String ref, @Nullable Credential credential);

    /** The repositories that an integration opens, as far as its provider can list them; asked by {@code GET .../repos}. */
    Uni<RepositoryListing> repositories(RepositoryHost host);
}
