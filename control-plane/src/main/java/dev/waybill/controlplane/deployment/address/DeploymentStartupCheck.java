package dev.waybill.controlplane.deployment.address;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.Config;

import dev.waybill.controlplane.source.SourceConfig;
import io.quarkus.runtime.StartupEvent;

/** Refuses to start with addresses that no deployment could be reached at, and with what would open this machine's disk. */
@Singleton
class DeploymentStartupCheck {

    private static final Set<String> PLACES = Set.of("{port}", "{name}", "{id}", "{tenant_id}");
    private static final Pattern PLACE = Pattern.compile("\\{[^{}]*}?");
    private static final UUID SOME_ID = new UUID(0, 0);
    private static final int LAST_PORT = 65_535;

    private final DeploymentConfig deployments;
    private final SourceConfig sources;
    private final Config config;

    DeploymentStartupCheck(DeploymentConfig deployments, SourceConfig sources, Config config) {
        this.deployments = deployments;
        this.sources = sources;
        this.config = config;
    }

    void check(@Observes StartupEvent starting) {
        List<String> faults = faults(deployments, sources.allowFile(), text("quarkus.http.host"),
                text("waybill.engine.local.runtime").isPresent());
        if (!faults.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", faults));
        }
    }

    private Optional<String> text(String key) {
        return config.getOptionalValue(key, String.class);
    }

    /** Everything that is wrong, each naming its property. */
    static List<String> faults(DeploymentConfig deployments, boolean allowFile, Optional<String> host, boolean localEngine) {
        List<String> faults = new ArrayList<>();
        template(deployments, faults);
        if (deployments.usesPorts() && (deployments.firstPort() < 1 || deployments.lastPort() > LAST_PORT
                || deployments.firstPort() > deployments.lastPort())) {
            faults.add("waybill.deployment.first-port and last-port must be ports in order, 1 to " + LAST_PORT);
        }
        if (localEngine && !deployments.usesPorts()) {
            faults.add(
                    "waybill.deployment.url must have {port}, because waybill.engine.local.runtime gives each deployment one");
        }
        if (allowFile && host.filter(DeploymentStartupCheck::isLoopback).isEmpty()) {
            faults.add("waybill.source.allow-file lets callers deploy from this machine's disk, so quarkus.http.host must be"
                    + " 127.0.0.1 or localhost with it");
        }
        return faults;
    }

    private static void template(DeploymentConfig deployments, List<String> faults) {
        Set<String> used = PLACE.matcher(deployments.url()).results().map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> unknown = new TreeSet<>(used);
        unknown.removeAll(PLACES);
        if (!unknown.isEmpty()) {
            faults.add("waybill.deployment.url has " + String.join(", ", unknown)
                    + ", and knows only {port}, {name}, {id} and {tenant_id}");
        } else if (!isAddress(deployments)) {
            faults.add("waybill.deployment.url does not come to an http or https address");
        }
        if (!used.contains("{port}") && !used.contains("{name}") && !used.contains("{id}")) {
            faults.add("waybill.deployment.url gives every deployment the same address; put {port}, {name} or {id} in it");
        }
    }

    private static boolean isAddress(DeploymentConfig deployments) {
        try {
            URI address = deployments.address(SOME_ID, SOME_ID, "name", deployments.firstPort());
            return Set.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("::1");
    }
}
