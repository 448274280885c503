package dev.waybill.controlplane.source;

import java.util.List;

import org.jspecify.annotations.Nullable;

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
