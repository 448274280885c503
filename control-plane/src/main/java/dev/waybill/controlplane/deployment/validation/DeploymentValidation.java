package dev.waybill.controlplane.deployment.validation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.ResourceSpec;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SecretValue;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.deployment.address.CustomUrlPolicy;
import dev.waybill.controlplane.source.address.RepositoryAddresses;

/** What the members of a deployment must be like together. */
final class DeploymentValidation {

    private static final String CONFIG = "source_config";
    private static final String REVISION = "source_revision_config";
    private static final String OF_REPOSITORIES = "is for repositories only";

    private final List<Violation> violations = new ArrayList<>();

    private DeploymentValidation() {
    }

    /** Everything wrong with what a new deployment is made from, as far as that is there. */
    static List<Violation> ofNew(@Nullable SourceKind kind, @Nullable DeploymentSource source,
            @Nullable RevisionSource revision, List<SecretValue> secrets, RepositoryAddresses addresses) {
        DeploymentValidation rules = new DeploymentValidation();
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
        rules.anySource(source, secrets);
        return rules.violations;
    }

    /** Everything wrong with a change, whatever it is a change of. */
    static List<Violation> ofChange(DeploymentSource source, List<SecretValue> secrets) {
        DeploymentValidation rules = new DeploymentValidation();
        rules.anySource(source, secrets);
        return rules.violations;
    }

    private void anySource(@Nullable DeploymentSource source, List<SecretValue> secrets) {
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
            addresses.refusal(source.repoUrl()).ifPresent(wrong -> add(CONFIG, "repo_url", wrong, "invalid"));
        }
    }

    private void repository(RevisionSource revision) {
        if (revision.repoRef() == null) {
            add(REVISION, "repo_ref", "is required", "missing");
        }
        if (revision.imageUri() != null) {
            add(REVISION, "image_uri", "is for the source external_docker only", "invalid");
        }
    }

    private void image(DeploymentSource source) {
        if (source.repoUrl() != null) {
            add(CONFIG, "repo_url", OF_REPOSITORIES, "invalid");
        }
        if (source.integrationId() != null) {
            add(CONFIG, "integration_id", OF_REPOSITORIES, "invalid");
        }
        if (Boolean.TRUE.equals(source.buildOnPush())) {
            add(CONFIG, "build_on_push", OF_REPOSITORIES, "invalid");
        }
    }

    private void image(RevisionSource revision) {
        if (revision.imageUri() == null) {
            add(REVISION, "image_uri", "is required", "missing");
        }
        if (revision.repoRef() != null) {
            add(REVISION, "repo_ref", OF_REPOSITORIES, "invalid");
        }
    }

    private void customUrl(@Nullable String url) {
        if (url != null && !CustomUrlPolicy.isPlain(url)) {
            add(CONFIG, "custom_url", "must be a plain http or https address", "invalid");
        }
    }

    private void resources(@Nullable ResourceSpec spec) {
        if (spec == null) {
            return;
        }
        notBelow(spec.maxScale(), spec.minScale(), "max_scale", "min_scale");
        notBelow(spec.cpuLimit(), spec.cpu(), "cpu_limit", "cpu");
        notBelow(spec.memoryLimitMb(), spec.memoryMb(), "memory_limit_mb", "memory_mb");
    }

    private void notBelow(@Nullable Number limit, @Nullable Number asked, String limitName, String askedName) {
        if (limit != null && asked != null && limit.doubleValue() < asked.doubleValue()) {
            violations.add(new Violation(List.of(CONFIG, "resource_spec", limitName), "must not be below " + askedName,
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
                violations.add(new Violation(location, "is there twice", "repeated"));
            }
            ReservedVariables.refusal(name)
                    .ifPresent(why -> violations.add(new Violation(location, why, "reserved")));
        }
    }

    private void add(String part, String member, String message, String type) {
        violations.add(new Violation(List.of(part, member), message, type));
    }
}
