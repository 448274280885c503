package dev.waybill.controlplane.deployment.address;

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

/** Which addresses a deployment may have of its own choice, where clients reach it beside the platform's. */
@Singleton
public class CustomUrlPolicy {

    private static final Pattern PLAIN = Pattern
            .compile("https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?");
    private static final int LAST_PORT = 65_535;
    // No name, id or workspace has it.
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

    /** Whether it is an http or https address without anything that is not needed. */
    public static boolean isPlain(String url) {
        return PLAIN.matcher(url).matches() && URI.create(url).getPort() <= LAST_PORT;
    }

    /** Why no deployment of this installation may have a plain address; empty when one may. */
    public Optional<String> refusal(String url) {
        if (!kubernetes) {
            return Optional.of("needs the engine kubernetes; leave it out");
        }
        Set<String> domains = config.customDomains().orElse(Set.of()).stream()
                .map(domain -> domain.strip().toLowerCase(Locale.ROOT))
                .filter(domain -> !domain.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        String host = host(url);
        if (domains.stream().noneMatch(domain -> host.equals(domain) || host.endsWith("." + domain))) {
            return Optional.of(domains.isEmpty()
                    ? "is not possible: the operator allows no custom domains; leave it out"
                    : "must have a host under " + String.join(" or ", domains));
        }
        return isPlatforms(host) ? Optional.of("must not be an address that the platform gives to deployments")
                : Optional.empty();
    }

    /**
     * What of the address no two deployments may share: neither scheme, port, letter case nor a last slash make a difference.
     */
    public static @Nullable String unique(@Nullable String url) {
        return url == null ? null
                : url.toLowerCase(Locale.ROOT).replaceFirst("^https?://([^/:]+)(:[0-9]+)?", "$1").replaceAll("/+$", "");
    }

    private boolean isPlatforms(String host) {
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
