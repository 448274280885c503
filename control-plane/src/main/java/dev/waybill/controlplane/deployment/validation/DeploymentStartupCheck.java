package dev.waybill.controlplane.deployment.validation;

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

/** Aborts the startup if the configured URLs are invalid or file repositories would be accessible to other machines. */
@Singleton
class DeploymentStartupCheck {

    private static final Set<String> PLACEHOLDERS = Set.of("{port}", "{name}", "{id}", "{tenant_id}");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^{}]*}?");
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
        List<String> problems = problems(deployments, sources.allowFile(), text("quarkus.http.host"),
                text("waybill.engine.local.runtime").isPresent());
        if (!problems.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", problems));
        }
    }

    private Optional<String> text(String key) {
        return config.getOptionalValue(key, String.class);
    }

    /** Returns all problems; each names its property. */
    static List<String> problems(DeploymentConfig deployments, boolean allowFile, Optional<String> host, boolean localEngine) {
        List<String> problems = new ArrayList<>();
        template(deployments, problems);
        if (deployments.usesPorts() && (deployments.firstPort() < 1 || deployments.lastPort() > LAST_PORT
                || deployments.firstPort() > deployments.lastPort())) {
            problems.add("waybill.deployment.first-port must not be larger than last-port, and both must be within 1 and "
                    + LAST_PORT);
        }
        if (localEngine && !deployments.usesPorts()) {
            problems.add(
                    "waybill.deployment.url must contain {port}, because the engine local assigns a port to each deployment");
        }
        if (allowFile && host.filter(DeploymentStartupCheck::isLoopback).isEmpty()) {
            problems.add("waybill.source.allow-file gives clients access to this machine's disk, so quarkus.http.host must be"
                    + " 127.0.0.1 or localhost");
        }
        return problems;
    }

    private static void template(DeploymentConfig deployments, List<String> problems) {
        Set<String> used = PLACEHOLDER.matcher(deployments.url()).results().map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> unknown = new TreeSet<>(used);
        unknown.removeAll(PLACEHOLDERS);
        if (!unknown.isEmpty()) {
            problems.add("waybill.deployment.url has the unknown placeholder " + String.join(", ", unknown)
                    + "; use {port}, {name}, {id} and {tenant_id} only");
        } else if (!isAddress(deployments)) {
            problems.add("waybill.deployment.url is not an http or https URL");
        }
        if (!used.contains("{port}") && !used.contains("{name}") && !used.contains("{id}")) {
            problems.add("waybill.deployment.url is the same URL for all deployments; add {port}, {name} or {id}");
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
