package dev.waybill.controlplane.source;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.quarkus.arc.DefaultBean;
import io.smallrye.mutiny.Uni;

/** What there is where no access to repositories is configured: it is said so. */
@Singleton
@DefaultBean
class NoSources implements Sources {

    private static final String REASON = "No engine is configured here, so repositories cannot be read; the operator sets one up.";

    @Override
    public Uni<Resolution> resolve(String repositoryUrl, String ref, @Nullable Credential credential) {
        return Uni.createFrom().item(new Resolution.Unreachable(REASON, false));
    }

    @Override
    public Uni<RepositoryListing> repositories(RepositoryHost host) {
        return Uni.createFrom().item(new RepositoryListing.Failed(REASON));
    }
}
