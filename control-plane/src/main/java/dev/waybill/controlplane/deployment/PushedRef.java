package dev.waybill.controlplane.deployment;

import java.util.List;

import dev.waybill.controlplane.source.address.RepositoryAddresses;

/**
 * What was pushed.
 *
 * @param addresses of the repository, in every spelling that its host gave
 * @param ref in full: {@code refs/heads/main}
 */
public record PushedRef(List<String> addresses, String ref) {

    private static final String BRANCHES = "refs/heads/";

    /** Whether the deployment is made from that branch; tags and commits do not move by a push. */
    boolean fits(Deployment deployment) {
        String repository = deployment.want().deploymentSource().repoUrl();
        String wanted = deployment.want().revisionSource().repoRef();
        return repository != null && wanted != null && ref.startsWith(BRANCHES)
                && (wanted.equals(ref) || ref.equals(BRANCHES + wanted))
                && addresses.stream().map(RepositoryAddresses::normal).anyMatch(RepositoryAddresses.normal(repository)::equals);
    }
}
