package dev.waybill.controlplane.deployment.validation;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates changes of deployments as far as they do not depend on the current deployment. */
@Singleton
class UpdateDeploymentValidator implements BodyValidator<UpdateDeploymentRequest> {

    @Override
    public Class<UpdateDeploymentRequest> type() {
        return UpdateDeploymentRequest.class;
    }

    @Override
    public List<Violation> violations(UpdateDeploymentRequest body, Set<String> unread) {
        return DeploymentValidation.ofChange(body.sourceOrEmpty(), body.secretsOrNone());
    }
}
