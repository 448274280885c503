package dev.waybill.controlplane.deployment;

import java.util.List;

import dev.waybill.controlplane.source.address.RepositoryAddresses;

/**
 * A pushed ref.
 *
 * @param addresses all URLs of the repository that its host sent
 * @param ref the full name, for example {@code refs/heads/main}
 */
public record PushedRef(List<String> addresses, String ref) {

    private static final String BRANCHES = "refs/heads/";

    /** Returns whether the deployment is built from the pushed branch; pushes do not move tags and commits. */
    boolean matches(Deployment deployment) {
        String repository = deployment.specification().deploymentSource().repoUrl();
        String wanted = deployment.specification().revisionSource().repoRef();
        return repository != null && wanted != null && ref.startsWith(BRANCHES)
                && (wanted.equals(ref) || ref.equals(BRANCHES + wanted))
                && addresses.stream().map(RepositoryAddresses::normalize)
                        .anyMatch(RepositoryAddresses.normalize(repository)::equals);
    }
}
