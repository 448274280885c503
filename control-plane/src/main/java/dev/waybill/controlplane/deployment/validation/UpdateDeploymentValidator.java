package dev.waybill.controlplane.deployment.validation;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** What a change of a deployment must be like beyond the types of its members, whatever it is a change of. */
@Singleton
class UpdateDeploymentValidator implements BodyValidator<UpdateDeploymentRequest> {

    @Override
    public Class<UpdateDeploymentRequest> type() {
        return UpdateDeploymentRequest.class;
    }

    @Override
    public List<Violation> violations(UpdateDeploymentRequest body, Set<String> unread) {
        return DeploymentValidation.ofChange(body.sourceOrNothing(), body.secretsOrNone());
    }
}
