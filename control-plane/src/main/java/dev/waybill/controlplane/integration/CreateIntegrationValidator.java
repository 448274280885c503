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

/** What an integration must be like beyond the types of its members. */
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
            addresses.refusal(body.baseUrl())
                    .ifPresent(wrong -> violations.add(Violation.of("base_url", wrong, "invalid")));
        }
        if (body.deployKey() != null) {
            keyRefusal(body)
                    .ifPresent(wrong -> violations.add(Violation.of("deploy_key", wrong, "invalid")));
        }
        if (body.sshKnownHosts() != null) {
            KnownHosts.refusal(body.sshKnownHosts())
                    .ifPresent(wrong -> violations.add(Violation.of("ssh_known_hosts", wrong, "invalid")));
        }
        return violations;
    }

    private Optional<String> keyRefusal(CreateIntegrationRequest body) {
        if (body.token() != null) {
            return Optional.of("must be left out where a token is given");
        }
        if (body.baseUrl() != null && addresses.refusal(body.baseUrl()).isEmpty()
                && !RepositoryAddresses.isSsh(body.baseUrl())) {
            return Optional
                    .of("opens repositories by ssh only; give a base_url like ssh://git@git.example.com/acme, or a token");
        }
        return DeployKeys.refusal(String.valueOf(body.deployKey()));
    }

    /** What opens the repositories; null when they are open to everybody. */
    static @Nullable Credential credential(CreateIntegrationRequest request) {
        if (request.token() != null) {
            return new Credential.AccessToken(request.token());
        }
        String hosts = request.sshKnownHosts() == null ? "" : request.sshKnownHosts();
        return request.deployKey() == null ? null : new Credential.DeployKey(request.deployKey(), hosts);
    }

    /** The provider that was named, or the one that the host's name tells. */
    static Provider provider(CreateIntegrationRequest request) {
        if (request.provider() != null) {
            return Provider.parse(request.provider());
        }
        String address = RepositoryAddresses.normal(request.baseUrl());
        return address.contains("github") ? Provider.GITHUB
                : address.contains("gitlab") ? Provider.GITLAB
                        : address.contains("gitea") || address.contains("codeberg") ? Provider.GITEA : Provider.OTHER;
    }
}
