package dev.waybill.controlplane.deployment.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.source.address.RepositoryAddresses;

/** Validates new deployments. */
@Singleton
public class CreateDeploymentValidator implements BodyValidator<CreateDeploymentRequest> {

    private final RepositoryAddresses addresses;
    private final InstallationPolicy installation;

    CreateDeploymentValidator(RepositoryAddresses addresses, InstallationPolicy installation) {
        this.addresses = addresses;
        this.installation = installation;
    }

    @Override
    public Class<CreateDeploymentRequest> type() {
        return CreateDeploymentRequest.class;
    }

    @Override
    public List<Violation> violations(CreateDeploymentRequest body, Set<String> unread) {
        @Nullable
        DeploymentSource source = body.sourceConfig();
        @Nullable
        RevisionSource revision = body.sourceRevisionConfig();
        List<Violation> violations = new ArrayList<>(DeploymentValidation.ofCreation(body.source(),
                source == null ? null : source.withIntegration(integration(body)), revision, body.secretsOrNone(), addresses));
        if (body.integrationId() != null && source != null && source.integrationId() != null
                && !body.integrationId().equals(source.integrationId())) {
            violations
                    .add(Violation.of("integration_id", "must be equal to source_config.integration_id or absent", "invalid"));
        }
        violations.addAll(installation.violations(source == null ? null : source.customUrl(),
                revision == null ? null : revision.imageUri()));
        return violations;
    }

    /** Returns the integration from source_config or, if missing there, from the request itself. */
    public static @Nullable UUID integration(CreateDeploymentRequest request) {
        return request.sourceConfig().integrationId() == null ? request.integrationId()
                : request.sourceConfig().integrationId();
    }
}
