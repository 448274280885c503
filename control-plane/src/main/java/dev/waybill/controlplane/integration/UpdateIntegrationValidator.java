package dev.waybill.controlplane.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.UpdateIntegrationRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import dev.waybill.controlplane.source.ssh.DeployKeys;
import dev.waybill.controlplane.source.ssh.KnownHosts;

/** Validates changes of an integration: only its name and its secrets can change (docs/decisions/0093). */
@Singleton
class UpdateIntegrationValidator implements BodyValidator<UpdateIntegrationRequest> {

    private static final String KEY = "deploy_key";
    private static final String HOSTS = "ssh_known_hosts";

    @Override
    public Class<UpdateIntegrationRequest> type() {
        return UpdateIntegrationRequest.class;
    }

    /** Returns the violations that do not depend on the current integration. */
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
}
