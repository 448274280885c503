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

/** What a PATCH of an integration may change: how it is called and what opens its repositories (docs/decisions/0093). */
@Singleton
class UpdateIntegrationValidator implements BodyValidator<UpdateIntegrationRequest> {

    private static final String KEY = "deploy_key";
    private static final String HOSTS = "ssh_known_hosts";

    @Override
    public Class<UpdateIntegrationRequest> type() {
        return UpdateIntegrationRequest.class;
    }

    /** What is wrong whatever it is a change of. */
    @Override
    public List<Violation> violations(UpdateIntegrationRequest body, Set<String> unread) {
        List<Violation> violations = new ArrayList<>();
        if (body.deployKey() != null && body.token() != null) {
            violations.add(Violation.of(KEY, "must be left out where a token is given", "invalid"));
        } else if (body.deployKey() != null) {
            DeployKeys.refusal(body.deployKey()).ifPresent(wrong -> violations.add(Violation.of(KEY, wrong, "invalid")));
        }
        if (body.sshKnownHosts() != null) {
            KnownHosts.refusal(body.sshKnownHosts())
                    .ifPresent(wrong -> violations.add(Violation.of(HOSTS, wrong, "invalid")));
        }
        return violations;
    }

    /** What is wrong with it as a change of that one. */
    static List<Violation> violations(Integration present, @Nullable Credential opens, UpdateIntegrationRequest request) {
        List<Violation> violations = new ArrayList<>();
        fixed(violations, "installation_id", present.installationId(), request.installationId());
        fixed(violations, "base_url", present.baseUrl(),
                request.baseUrl() == null ? null : RepositoryAddresses.normal(request.baseUrl()));
        fixed(violations, "provider", present.provider().toString(), request.provider());
        if (request.deployKey() != null && !RepositoryAddresses.isSsh(present.baseUrl())) {
            violations.add(Violation.of(KEY, "opens repositories by ssh only; give a token", "invalid"));
        }
        if (request.sshKnownHosts() != null && request.deployKey() == null
                && (request.token() != null || !(opens instanceof Credential.DeployKey))) {
            violations.add(Violation.of(HOSTS, "is of use with a deploy_key only", "invalid"));
        }
        return violations;
    }

    /** What opens the repositories afterwards. */
    static @Nullable Credential credential(@Nullable Credential present, UpdateIntegrationRequest request) {
        if (request.token() != null) {
            return new Credential.AccessToken(request.token());
        }
        String hosts = request.sshKnownHosts();
        if (present instanceof Credential.DeployKey known) {
            return new Credential.DeployKey(request.deployKey() == null ? known.secret() : request.deployKey(),
                    hosts == null ? known.knownHosts() : hosts);
        }
        return request.deployKey() == null ? present
                : new Credential.DeployKey(request.deployKey(), hosts == null ? "" : hosts);
    }

    private static void fixed(List<Violation> violations, String member, Object known, @Nullable Object asked) {
        if (asked != null && !asked.equals(known)) {
            violations.add(Violation.of(member, "cannot be changed; register another integration", "fixed"));
        }
    }
}
