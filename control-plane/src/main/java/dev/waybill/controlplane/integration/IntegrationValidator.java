package dev.waybill.controlplane.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.api.deployment.UpdateIntegrationRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Provider;
import dev.waybill.controlplane.source.RepositoryAddresses;
import dev.waybill.controlplane.source.ssh.DeployKeys;
import dev.waybill.controlplane.source.ssh.KnownHosts;

/**
 * Validates integrations and derives their credential and provider. Only the name and the secrets of an integration can
 * change (docs/decisions/0093).
 */
final class IntegrationValidator {

    private static final String KEY = "deploy_key";
    private static final String HOSTS = "ssh_known_hosts";

    private IntegrationValidator() {
    }

    /** Returns the requested credential; null for public repositories. */
    static @Nullable Credential credential(CreateIntegrationRequest request) {
        if (request.token() != null) {
            return new Credential.AccessToken(request.token());
        }
        String hosts = request.sshKnownHosts() == null ? "" : request.sshKnownHosts();
        return request.deployKey() == null ? null : new Credential.DeployKey(request.deployKey(), hosts);
    }

    /** Returns the requested provider, or derives it from the host name. */
    static Provider provider(CreateIntegrationRequest request) {
        if (request.provider() != null) {
            return Provider.parse(request.provider());
        }
        String address = RepositoryAddresses.normalize(request.baseUrl());
        return address.contains("github") ? Provider.GITHUB
                : address.contains("gitlab") ? Provider.GITLAB
                        : address.contains("gitea") || address.contains("codeberg") ? Provider.GITEA : Provider.OTHER;
    }

    /** Returns the violations of the change with respect to the current integration. */
    static List<Violation> violations(Integration current, @Nullable Credential credential, UpdateIntegrationRequest request) {
        List<Violation> violations = new ArrayList<>();
        requireUnchanged(violations, "installation_id", current.installationId(), request.installationId());
        requireUnchanged(violations, "base_url", current.baseUrl(),
                request.baseUrl() == null ? null : RepositoryAddresses.normalize(request.baseUrl()));
        requireUnchanged(violations, "provider", current.provider().toString(), request.provider());
        if (request.deployKey() != null && !RepositoryAddresses.isSsh(current.baseUrl())) {
            violations.add(Violation.of(KEY, "is supported for ssh base_urls only; set a token instead", "invalid"));
        }
        if (request.sshKnownHosts() != null && request.deployKey() == null
                && (request.token() != null || !(credential instanceof Credential.DeployKey))) {
            violations.add(Violation.of(HOSTS, "is supported with a deploy_key only", "invalid"));
        }
        return violations;
    }

    /** Returns the credential after the change. */
    static @Nullable Credential credential(@Nullable Credential current, UpdateIntegrationRequest request) {
        if (request.token() != null) {
            return new Credential.AccessToken(request.token());
        }
        String hosts = request.sshKnownHosts();
        if (current instanceof Credential.DeployKey currentKey) {
            return new Credential.DeployKey(request.deployKey() == null ? currentKey.secret() : request.deployKey(),
                    hosts == null ? currentKey.knownHosts() : hosts);
        }
        return request.deployKey() == null ? current
                : new Credential.DeployKey(request.deployKey(), hosts == null ? "" : hosts);
    }

    private static void requireUnchanged(List<Violation> violations, String member, Object current,
            @Nullable Object requested) {
        if (requested != null && !requested.equals(current)) {
            violations.add(Violation.of(member, "cannot be changed; register another integration", "fixed"));
        }
    }

    /** Validates new integrations. */
    @Singleton
    static class Creation implements BodyValidator<CreateIntegrationRequest> {

        private final RepositoryAddresses addresses;

        Creation(RepositoryAddresses addresses) {
            this.addresses = addresses;
        }

        @Override
        public Class<CreateIntegrationRequest> type() {
            return CreateIntegrationRequest.class;
        }

        @Override
        public List<Violation> violations(CreateIntegrationRequest body, Set<String> unread) {
            List<Violation> violations = new ArrayList<>();
            if (body.baseUrl() != null && !body.baseUrl().isEmpty()) {
                addresses.validationError(body.baseUrl())
                        .ifPresent(wrong -> violations.add(Violation.of("base_url", wrong, "invalid")));
            }
            if (body.deployKey() != null) {
                deployKeyProblem(body)
                        .ifPresent(wrong -> violations.add(Violation.of(KEY, wrong, "invalid")));
            }
            if (body.sshKnownHosts() != null) {
                KnownHosts.validationError(body.sshKnownHosts())
                        .ifPresent(wrong -> violations.add(Violation.of(HOSTS, wrong, "invalid")));
            }
            return violations;
        }

        private Optional<String> deployKeyProblem(CreateIntegrationRequest body) {
            if (body.token() != null) {
                return Optional.of("must not be combined with token");
            }
            if (body.baseUrl() != null && addresses.validationError(body.baseUrl()).isEmpty()
                    && !RepositoryAddresses.isSsh(body.baseUrl())) {
                return Optional
                        .of("is supported for ssh base_urls only; set a base_url like ssh://git@git.example.com/acme, or a token");
            }
            return DeployKeys.validationError(String.valueOf(body.deployKey()));
        }
    }

    /** Validates changes as far as they do not depend on the current integration. */
    @Singleton
    static class Change implements BodyValidator<UpdateIntegrationRequest> {

        @Override
        public Class<UpdateIntegrationRequest> type() {
            return UpdateIntegrationRequest.class;
        }

        @Override
        public List<Violation> violations(UpdateIntegrationRequest body, Set<String> unread) {
            List<Violation> violations = new ArrayList<>();
            if (body.deployKey() != null && body.token() != null) {
                violations.add(Violation.of(KEY, "must not be combined with token", "invalid"));
            } else if (body.deployKey() != null) {
                DeployKeys.validationError(body.deployKey())
                        .ifPresent(wrong -> violations.add(Violation.of(KEY, wrong, "invalid")));
            }
            if (body.sshKnownHosts() != null) {
                KnownHosts.validationError(body.sshKnownHosts())
                        .ifPresent(wrong -> violations.add(Violation.of(HOSTS, wrong, "invalid")));
            }
            return violations;
        }
    }
}
