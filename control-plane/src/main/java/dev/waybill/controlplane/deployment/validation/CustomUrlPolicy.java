package dev.waybill.controlplane.deployment.validation;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/** Checks which custom URLs deployments of this installation may have. */
@Singleton
public class CustomUrlPolicy {

    private static final Pattern PLAIN = Pattern
            .compile("https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?");
    private static final int LAST_PORT = 65_535;
    // Cannot occur in a name, id or workspace id.
    private static final String ANY_LABEL = "x-any-label-x";
    private static final UUID ANY_ID = new UUID(0, 0);

    private final DeploymentConfig config;
    private final boolean kubernetes;

    @Inject
    CustomUrlPolicy(DeploymentConfig config, Config settings) {
        this(config, settings.getOptionalValue("waybill.engine.kind", String.class)
                .filter("kubernetes"::equalsIgnoreCase).isPresent());
    }

    CustomUrlPolicy(DeploymentConfig config, boolean kubernetes) {
        this.config = config;
        this.kubernetes = kubernetes;
    }

    /** Returns whether the text is an http or https URL without user info, query or fragment. */
    public static boolean isPlainUrl(String url) {
        return PLAIN.matcher(url).matches() && URI.create(url).getPort() <= LAST_PORT;
    }

    /** Returns why the plain URL is not allowed in this installation; empty if it is allowed. */
    public Optional<String> validationError(String url) {
        if (!kubernetes) {
            return Optional.of("requires the engine kubernetes; remove it");
        }
        Set<String> domains = config.customDomains().orElse(Set.of()).stream()
                .map(domain -> domain.strip().toLowerCase(Locale.ROOT))
                .filter(domain -> !domain.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        String host = host(url);
        if (domains.stream().noneMatch(domain -> host.equals(domain) || host.endsWith("." + domain))) {
            return Optional.of(domains.isEmpty()
                    ? "is not available, because the operator allows no custom domains; remove it"
                    : "must have a host under " + String.join(" or ", domains));
        }
        return isPlatformHost(host) ? Optional.of("must not be a URL that the platform assigns to deployments")
                : Optional.empty();
    }

    /**
     * Returns the part of the URL that is unique across deployments: without scheme, port and trailing slash, in lower
     * case.
     */
    public static @Nullable String uniqueKey(@Nullable String url) {
        return url == null ? null
                : url.toLowerCase(Locale.ROOT).replaceFirst("^https?://([^/:]+)(:[0-9]+)?", "$1").replaceAll("/+$", "");
    }

    private boolean isPlatformHost(String host) {
        String template = host(config.address(ANY_ID, ANY_ID, ANY_LABEL, config.firstPort()).toString());
        String pattern = Pattern.quote(template)
                .replace(ANY_LABEL, "\\E[a-z0-9-]+\\Q")
                .replace(ANY_ID.toString(), "\\E[a-f0-9-]+\\Q");
        return host.matches(pattern);
    }

    private static String host(String url) {
        return String.valueOf(URI.create(url).getHost()).toLowerCase(Locale.ROOT);
    }
}
