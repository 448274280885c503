package dev.waybill.controlplane.deployment.validation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.ResourceSpec;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SecretValue;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.source.RepositoryAddresses;

/** Validates rules that involve several members of a deployment. */
final class DeploymentValidator {

    private static final String CONFIG = "source_config";
    private static final String REVISION = "source_revision_config";
    private static final String REPOSITORIES_ONLY = "is supported for repositories only";

    private final List<Violation> violations = new ArrayList<>();

    private DeploymentValidator() {
    }

    /** Returns the violations of a new deployment; null members were reported before. */
    private static List<Violation> ofCreation(@Nullable SourceKind kind, @Nullable DeploymentSource source,
            @Nullable RevisionSource revision, List<SecretValue> secrets, RepositoryAddresses addresses) {
        DeploymentValidator rules = new DeploymentValidator();
        boolean image = kind == SourceKind.EXTERNAL_DOCKER;
        if (kind != null && source != null) {
            if (image) {
                rules.image(source);
            } else {
                rules.repository(source, addresses);
            }
        }
        if (kind != null && revision != null) {
            if (image) {
                rules.image(revision);
            } else {
                rules.repository(revision);
            }
        }
        rules.common(source, secrets);
        return rules.violations;
    }

    private void common(@Nullable DeploymentSource source, List<SecretValue> secrets) {
        if (source != null) {
            customUrl(source.customUrl());
            resources(source.resourceSpec());
        }
        secrets(secrets);
    }

    private void repository(DeploymentSource source, RepositoryAddresses addresses) {
        if (source.repoUrl() == null || source.repoUrl().isEmpty()) {
            add(CONFIG, "repo_url", "is required", "missing");
        } else {
            addresses.validationError(source.repoUrl()).ifPresent(wrong -> add(CONFIG, "repo_url", wrong, "invalid"));
        }
    }

    private void repository(RevisionSource revision) {
        if (revision.repoRef() == null) {
            add(REVISION, "repo_ref", "is required", "missing");
        }
        if (revision.imageUri() != null) {
            add(REVISION, "image_uri", "is supported for the source external_docker only", "invalid");
        }
    }

    private void image(DeploymentSource source) {
        if (source.repoUrl() != null) {
            add(CONFIG, "repo_url", REPOSITORIES_ONLY, "invalid");
        }
        if (source.integrationId() != null) {
            add(CONFIG, "integration_id", REPOSITORIES_ONLY, "invalid");
        }
        if (Boolean.TRUE.equals(source.buildOnPush())) {
            add(CONFIG, "build_on_push", REPOSITORIES_ONLY, "invalid");
        }
    }

    private void image(RevisionSource revision) {
        if (revision.imageUri() == null) {
            add(REVISION, "image_uri", "is required", "missing");
        }
        if (revision.repoRef() != null) {
            add(REVISION, "repo_ref", REPOSITORIES_ONLY, "invalid");
        }
    }

    private void customUrl(@Nullable String url) {
        if (url != null && !CustomUrlPolicy.isPlainUrl(url)) {
            add(CONFIG, "custom_url", "must be an http or https URL without user info, query or fragment", "invalid");
        }
    }

    private void resources(@Nullable ResourceSpec spec) {
        if (spec == null) {
            return;
        }
        requireAtLeast(spec.maxScale(), spec.minScale(), "max_scale", "min_scale");
        requireAtLeast(spec.cpuLimit(), spec.cpu(), "cpu_limit", "cpu");
        requireAtLeast(spec.memoryLimitMb(), spec.memoryMb(), "memory_limit_mb", "memory_mb");
    }

    private void requireAtLeast(@Nullable Number limit, @Nullable Number requested, String limitName, String requestedName) {
        if (limit != null && requested != null && limit.doubleValue() < requested.doubleValue()) {
            violations.add(new Violation(List.of(CONFIG, "resource_spec", limitName), "must not be below " + requestedName,
                    "invalid"));
        }
    }

    private void secrets(List<SecretValue> secrets) {
        Set<String> known = new HashSet<>();
        for (int i = 0; i < secrets.size(); i++) {
            String name = secrets.get(i).name();
            if (name == null) {
                continue;
            }
            List<Object> location = List.of("secrets", i, "name");
            if (!known.add(name)) {
                violations.add(new Violation(location, "is a duplicate name", "repeated"));
            }
            ReservedVariables.validationError(name)
                    .ifPresent(why -> violations.add(new Violation(location, why, "reserved")));
        }
    }

    private void add(String part, String member, String message, String type) {
        violations.add(new Violation(List.of(part, member), message, type));
    }

    /** Validates new deployments. */
    @Singleton
    static class Creation implements BodyValidator<CreateDeploymentRequest> {

        private final RepositoryAddresses addresses;
        private final InstallationPolicy installation;

        Creation(RepositoryAddresses addresses, InstallationPolicy installation) {
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
            List<Violation> violations = new ArrayList<>(ofCreation(body.source(),
                    source == null ? null : body.sourceWithIntegration(), revision, body.secretsOrNone(), addresses));
            if (body.integrationId() != null && source != null && source.integrationId() != null
                    && !body.integrationId().equals(source.integrationId())) {
                violations.add(
                        Violation.of("integration_id", "must be equal to source_config.integration_id or absent", "invalid"));
            }
            violations.addAll(installation.violations(source == null ? null : source.customUrl(),
                    revision == null ? null : revision.imageUri()));
            return violations;
        }
    }

    /** Validates changes as far as they do not depend on the current deployment. */
    @Singleton
    static class Change implements BodyValidator<UpdateDeploymentRequest> {

        @Override
        public Class<UpdateDeploymentRequest> type() {
            return UpdateDeploymentRequest.class;
        }

        @Override
        public List<Violation> violations(UpdateDeploymentRequest body, Set<String> unread) {
            DeploymentValidator rules = new DeploymentValidator();
            rules.common(body.sourceOrEmpty(), body.secretsOrNone());
            return rules.violations;
        }
    }
}
