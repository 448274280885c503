package dev.waybill.controlplane.deployment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SecretValue;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.problem.Violation;

/**
 * What a deployment is after a PATCH: what is absent stays as it is, secrets are replaced whole (contract.md "Deployment
 * management").
 *
 * @param changed whether anything that makes a revision is different
 */
record DeploymentPatch(DeploymentSource deploymentSource, RevisionSource revisionSource, Map<String, String> secrets,
        boolean changed) {

    static DeploymentPatch of(Deployment present, Map<String, String> presentSecrets, UpdateDeploymentRequest request) {
        DeploymentSource asked = request.sourceOrNothing();
        // Clients send back what they read.
        DeploymentSource meant = present.url().equals(asked.customUrl()) ? asked.withCustomUrl(null) : asked;
        DeploymentSource source = merged(present.want().deploymentSource(), meant);
        RevisionSource revision = merged(present.want().revisionSource(), request.revisionSourceOrEmpty());
        Map<String, String> secrets = request.secretsOrNone().isEmpty() ? presentSecrets : values(request.secretsOrNone());
        boolean changed = !source.equals(present.want().deploymentSource())
                || !revision.equals(present.want().revisionSource()) || !secrets.equals(presentSecrets);
        return new DeploymentPatch(source, revision, secrets, changed);
    }

    /** Name → value, in the order of the list. */
    static Map<String, String> values(List<SecretValue> secrets) {
        Map<String, String> values = new LinkedHashMap<>();
        secrets.forEach(secret -> values.put(secret.name(), secret.value()));
        return values;
    }

    /** What the request would change although it cannot be changed, or does not fit the deployment's kind of source. */
    static List<Violation> violations(Deployment present, UpdateDeploymentRequest request) {
        List<Violation> violations = new ArrayList<>();
        DeploymentSource known = present.want().deploymentSource();
        DeploymentSource asked = request.sourceOrEmpty();
        fixed(violations, List.of("name"), present.name(), request.name());
        fixed(violations, List.of("source"), present.want().source(), request.source());
        fixed(violations, List.of("integration_id"), known.integrationId(), request.integrationId());
        fixed(violations, List.of("source_config", "integration_id"), known.integrationId(), asked.integrationId());
        fixed(violations, List.of("source_config", "repo_url"), known.repoUrl(), asked.repoUrl());
        fixed(violations, List.of("source_config", "deployment_type"), known.deploymentType(), asked.deploymentType());
        boolean image = present.want().source() == SourceKind.EXTERNAL_DOCKER;
        if (image && request.revisionSourceOrEmpty().repoRef() != null) {
            violations.add(foreign("repo_ref"));
        }
        if (!image && request.revisionSourceOrEmpty().imageUri() != null) {
            violations.add(foreign("image_uri"));
        }
        return violations;
    }

    /** The address that the request gives the deployment; null when it has it already. */
    static @Nullable String newCustomUrl(Deployment present, UpdateDeploymentRequest request) {
        String asked = request.sourceOrEmpty().customUrl();
        return present.url().equals(asked) ? null : asked;
    }

    /** The image that the request gives the deployment; null when it has it already. */
    static @Nullable String newImage(Deployment present, UpdateDeploymentRequest request) {
        String asked = request.revisionSourceOrEmpty().imageUri();
        return Objects.equals(present.want().revisionSource().imageUri(), asked) ? null : asked;
    }

    private static void fixed(List<Violation> violations, List<Object> location, @Nullable Object known,
            @Nullable Object asked) {
        if (asked != null && !asked.equals(known)) {
            violations.add(new Violation(location, "cannot be changed; make a new deployment", "fixed"));
        }
    }

    private static Violation foreign(String member) {
        return new Violation(List.of("source_revision_config", member), "does not belong to this deployment's source",
                "invalid");
    }

    private static DeploymentSource merged(DeploymentSource known, DeploymentSource asked) {
        return new DeploymentSource(known.integrationId(), known.repoUrl(), known.deploymentType(),
                newer(known.buildOnPush(), asked.buildOnPush()), newer(known.customUrl(), asked.customUrl()),
                command(known.installCommand(), asked.installCommand()), command(known.buildCommand(), asked.buildCommand()),
                newer(known.resourceSpec(), asked.resourceSpec()));
    }

    private static RevisionSource merged(RevisionSource known, RevisionSource asked) {
        return new RevisionSource(newer(known.repoRef(), asked.repoRef()),
                newer(known.langgraphConfigPath(), asked.langgraphConfigPath()), newer(known.imageUri(), asked.imageUri()),
                null);
    }

    // An empty command takes the present one away.
    private static @Nullable String command(@Nullable String known, @Nullable String asked) {
        return asked != null && asked.isBlank() ? null : newer(known, asked);
    }

    private static <T> @Nullable T newer(@Nullable T known, @Nullable T asked) {
        return asked == null ? known : asked;
    }
}
