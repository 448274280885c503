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
 * The configuration of a deployment after a PATCH: absent members are unchanged, secrets are replaced as a whole
 * (contract.md "Deployment management").
 *
 * @param changed whether the patch requires a new revision
 */
record DeploymentPatch(DeploymentSource deploymentSource, RevisionSource revisionSource, Map<String, String> secrets,
        boolean changed) {

    static DeploymentPatch of(Deployment current, Map<String, String> currentSecrets, UpdateDeploymentRequest request) {
        DeploymentSource requested = request.sourceOrEmpty();
        // Clients may send back the platform's URL as they read it.
        DeploymentSource change = current.url().equals(requested.customUrl()) ? requested.withCustomUrl(null) : requested;
        DeploymentSource source = merge(current.specification().deploymentSource(), change);
        RevisionSource revision = merge(current.specification().revisionSource(), request.revisionSourceOrEmpty());
        Map<String, String> secrets = request.secretsOrNone().isEmpty() ? currentSecrets : values(request.secretsOrNone());
        boolean changed = !source.equals(current.specification().deploymentSource())
                || !revision.equals(current.specification().revisionSource()) || !secrets.equals(currentSecrets);
        return new DeploymentPatch(source, revision, secrets, changed);
    }

    /** Returns the secrets by name, in the order of the list. */
    static Map<String, String> values(List<SecretValue> secrets) {
        Map<String, String> values = new LinkedHashMap<>();
        secrets.forEach(secret -> values.put(secret.name(), secret.value()));
        return values;
    }

    /** Returns violations for members that cannot be changed or are not supported by the deployment's source. */
    static List<Violation> violations(Deployment current, UpdateDeploymentRequest request) {
        List<Violation> violations = new ArrayList<>();
        DeploymentSource source = current.specification().deploymentSource();
        DeploymentSource requested = request.sourceOrEmpty();
        requireUnchanged(violations, List.of("name"), current.name(), request.name());
        SourceKind kind = current.specification().source();
        requireUnchanged(violations, List.of("source"), kind,
                request.source() != null && kind.isEquivalentTo(request.source()) ? kind : request.source());
        requireUnchanged(violations, List.of("integration_id"), source.integrationId(), request.integrationId());
        requireUnchanged(violations, List.of("source_config", "integration_id"), source.integrationId(),
                requested.integrationId());
        requireUnchanged(violations, List.of("source_config", "repo_url"), source.repoUrl(), requested.repoUrl());
        requireUnchanged(violations, List.of("source_config", "deployment_type"), source.deploymentType(),
                requested.deploymentType());
        boolean image = kind == SourceKind.EXTERNAL_DOCKER;
        if (image && request.revisionSourceOrEmpty().repoRef() != null) {
            violations.add(unsupported("repo_ref"));
        }
        if (!image && request.revisionSourceOrEmpty().imageUri() != null) {
            violations.add(unsupported("image_uri"));
        }
        return violations;
    }

    /** Returns the requested custom URL; null if it is unchanged. */
    static @Nullable String newCustomUrl(Deployment current, UpdateDeploymentRequest request) {
        String requested = request.sourceOrEmpty().customUrl();
        return current.url().equals(requested) ? null : requested;
    }

    /** Returns the requested image; null if it is unchanged. */
    static @Nullable String newImage(Deployment current, UpdateDeploymentRequest request) {
        String requested = request.revisionSourceOrEmpty().imageUri();
        return Objects.equals(current.specification().revisionSource().imageUri(), requested) ? null : requested;
    }

    private static void requireUnchanged(List<Violation> violations, List<Object> location, @Nullable Object current,
            @Nullable Object requested) {
        if (requested != null && !requested.equals(current)) {
            violations.add(new Violation(location, "cannot be changed; create a new deployment", "fixed"));
        }
    }

    private static Violation unsupported(String member) {
        return new Violation(List.of("source_revision_config", member), "is not supported by this deployment's source",
                "invalid");
    }

    private static DeploymentSource merge(DeploymentSource current, DeploymentSource requested) {
        return new DeploymentSource(current.integrationId(), current.repoUrl(), current.deploymentType(),
                orElse(current.buildOnPush(), requested.buildOnPush()), orElse(current.customUrl(), requested.customUrl()),
                command(current.installCommand(), requested.installCommand()),
                command(current.buildCommand(), requested.buildCommand()),
                orElse(current.resourceSpec(), requested.resourceSpec()));
    }

    private static RevisionSource merge(RevisionSource current, RevisionSource requested) {
        return new RevisionSource(orElse(current.repoRef(), requested.repoRef()),
                orElse(current.langgraphConfigPath(), requested.langgraphConfigPath()),
                orElse(current.imageUri(), requested.imageUri()),
                null);
    }

    // An empty command removes the current one.
    private static @Nullable String command(@Nullable String current, @Nullable String requested) {
        return requested != null && requested.isBlank() ? null : orElse(current, requested);
    }

    private static <T> @Nullable T orElse(@Nullable T current, @Nullable T requested) {
        return requested == null ? current : requested;
    }
}
