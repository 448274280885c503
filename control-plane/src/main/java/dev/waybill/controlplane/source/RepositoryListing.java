package dev.waybill.controlplane.source;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** What came of asking a host for its repositories. */
public sealed interface RepositoryListing {

    /** In the host's order; cut where there are more than an answer should hold. */
    record Found(List<Listed> repositories) implements RepositoryListing {

        public Found {
            repositories = List.copyOf(repositories);
        }
    }

    /** @param reason what the user can do about it, one sentence without secrets */
    record Failed(String reason) implements RepositoryListing {
    }

    /**
     * @param owner the account or group
     * @param name within it
     * @param url what a deployment takes as its {@code repo_url}
     */
    record Listed(String owner, String name, String url, @Nullable String defaultBranch, boolean isPrivate) {
    }
}
