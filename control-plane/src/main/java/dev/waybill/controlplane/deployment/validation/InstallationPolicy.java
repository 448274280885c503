package dev.waybill.controlplane.deployment.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.Violation;

/** Validation rules that depend on the operator's configuration. */
@Singleton
public class InstallationPolicy {

    private static final Pattern DIGEST = Pattern.compile("@sha256:[0-9a-f]{64}$");

    private final CustomUrlPolicy customUrls;
    private final DeploymentConfig config;

    InstallationPolicy(CustomUrlPolicy customUrls, DeploymentConfig config) {
        this.customUrls = customUrls;
        this.config = config;
    }

    /** Returns the violations of new values; malformed URLs are reported by {@link DeploymentValidator}. */
    public List<Violation> violations(@Nullable String customUrl, @Nullable String imageUri) {
        List<Violation> violations = new ArrayList<>();
        Optional.ofNullable(customUrl)
                .filter(CustomUrlPolicy::isPlainUrl)
                .flatMap(customUrls::validationError)
                .ifPresent(why -> violations.add(violation("source_config", "custom_url", why)));
        if (config.requireImageDigest() && imageUri != null && !DIGEST.matcher(imageUri).find()) {
            violations.add(violation("source_revision_config", "image_uri",
                    "must end with the image's digest, @sha256: and 64 hexadecimal digits; the operator does not allow tags"));
        }
        return violations;
    }

    private static Violation violation(String part, String member, String why) {
        return new Violation(List.of(part, member), why, "invalid");
    }
}
