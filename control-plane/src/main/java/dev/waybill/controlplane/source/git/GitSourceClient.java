package dev.waybill.controlplane.source.git;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.RepositoryLister;
import dev.waybill.controlplane.source.SourceClient;
import dev.waybill.controlplane.source.SourceClient.RepositoryHost;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing;
import dev.waybill.controlplane.source.SourceClient.Resolution;
import dev.waybill.controlplane.source.SourceException;
import io.smallrye.mutiny.Uni;

/** Implements {@link SourceClient} with git and the hosts' APIs. */
@Singleton
public class GitSourceClient implements SourceClient {

    private final GitRepositories repositories;
    private final RepositoryLister lists;
    private final Blocking blocking;

    public GitSourceClient(GitRepositories repositories, RepositoryLister lists, Blocking blocking) {
        this.repositories = repositories;
        this.lists = lists;
        this.blocking = blocking;
    }

    @Override
    public Uni<Resolution> resolve(String repositoryUrl, String ref, @Nullable Credential credential) {
        return blocking.call(() -> resolved(repositoryUrl, ref, credential));
    }

    private Resolution resolved(String repositoryUrl, String ref, @Nullable Credential credential) {
        try {
            return new Resolution.Resolved(repositories.resolve(repositoryUrl, ref, credential));
        } catch (SourceException e) {
            String reason = String.valueOf(e.getMessage());
            return switch (e.kind()) {
                case REF_NOT_FOUND -> new Resolution.RefNotFound(reason);
                case UNREACHABLE, REFUSED -> new Resolution.Unreachable(reason, false);
                case UNAVAILABLE -> new Resolution.Unreachable(reason, true);
            };
        }
    }

    @Override
    public Uni<RepositoryListing> repositories(RepositoryHost host) {
        return blocking.call(() -> lists.of(host));
    }
}
