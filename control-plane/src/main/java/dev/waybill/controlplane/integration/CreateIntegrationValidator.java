package dev.waybill.controlplane.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Provider;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import dev.waybill.controlplane.source.ssh.DeployKeys;
import dev.waybill.controlplane.source.ssh.KnownHosts;

/** Validates new integrations and derives their credential and provider. */
@Singleton
class CreateIntegrationValidator implements BodyValidator<CreateIntegrationRequest> {

    private final RepositoryAddresses addresses;

    CreateIntegrationValidator(RepositoryAddresses addresses) {
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
                    .ifPresent(wrong -> violations.add(Violation.of("deploy_key", wrong, "invalid")));
        }
        if (body.sshKnownHosts() != null) {
            KnownHosts.validationError(body.sshKnownHosts())
                    .ifPresent(wrong -> violations.add(Violation.of("ssh_known_hosts", wrong, "invalid")));
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
}
