package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.ThreadSettings;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.PodResources;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.Credential.DeployKey;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;

/**
 * Builds the containers of a pod: only {@code fetch} has access to the repository's credential, and it runs none of the
 * customer's code;
 * {@code install} runs the customer's commands; {@code application} serves.
 */
final class Containers {

    static final int PORT = 8100;
    /** Port of metrics and OpenAPI; neither Service nor Ingress exposes it. */
    static final int MANAGEMENT_PORT = 9100;
    static final String FILES = "files";
    static final String TEMPORARY = "tmp";
    static final String SCRIPTS = "scripts";
    static final String CREDENTIAL = "credential";

    private static final String FILES_PATH = "/application";
    private static final String REPOSITORY = FILES_PATH + "/repository";
    private static final String PACKAGES = FILES_PATH + "/packages";
    private static final String SCRIPTS_PATH = "/scripts";
    private static final String CREDENTIAL_PATH = "/credential";
    private static final int PROBE_SECONDS = 2;

    private final KubernetesEngineConfig config;
    private final PodResources podResources;

    Containers(KubernetesEngineConfig config) {
        this.config = config;
        this.podResources = new PodResources(config);
    }

    Container fetch(RevisionSpec plan, Commit source, String image) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("HOME", "/tmp");
        environment.put("WAYBILL_REPOSITORY", source.url());
        environment.put("WAYBILL_COMMIT", source.id());
        environment.put("WAYBILL_FOLDER", REPOSITORY);
        environment.put("WAYBILL_TRANSPORTS", transport(source.url()));
        List<VolumeMount> mounts = new ArrayList<>(mounts());
        mounts.add(readOnly(SCRIPTS, SCRIPTS_PATH));
        if (source.credential() != null) {
            environment.put("WAYBILL_CREDENTIAL", CREDENTIAL_PATH);
            mounts.add(readOnly(CREDENTIAL, CREDENTIAL_PATH));
        }
        if (source.credential() instanceof Credential.DeployKey) {
            mounts.add(new VolumeMountBuilder(readOnly(CREDENTIAL, "/etc/passwd")).withSubPath(CredentialFiles.USERS).build());
        }
        return confined(plan, "fetch", config.fetchImage().orElse(image))
                .withCommand("sh", SCRIPTS_PATH + "/" + InitScripts.FETCH)
                .withEnv(variables(environment))
                .withVolumeMounts(mounts)
                .build();
    }

    Container install(RevisionSpec plan, Commit source, String image) {
        Map<String, String> environment = baseEnvironment();
        environment.put("WAYBILL_APPLICATION", folder(source));
        // pip then installs packages below PYTHONUSERBASE.
        environment.put("PIP_USER", "1");
        environment.put("PIP_BREAK_SYSTEM_PACKAGES", "1");
        if (plan.environment().containsKey(ThreadSettings.PASSWORD_VARIABLE)) {
            // Overrides the variable of the Secret: a build needs no access to threads.
            environment.put(ThreadSettings.PASSWORD_VARIABLE, "");
        }
        putIfPresent(environment, "WAYBILL_INSTALL", Optional.ofNullable(source.installCommand()));
        putIfPresent(environment, "WAYBILL_BUILD", Optional.ofNullable(source.buildCommand()));
        List<VolumeMount> mounts = new ArrayList<>(mounts());
        mounts.add(readOnly(SCRIPTS, SCRIPTS_PATH));
        return withSecrets(plan, confined(plan, "install", image))
                .withCommand("sh", SCRIPTS_PATH + "/" + InitScripts.INSTALL)
                .withEnv(variables(environment))
                .withVolumeMounts(mounts)
                .build();
    }

    Container application(RevisionSpec plan, String image) {
        Map<String, String> environment = baseEnvironment();
        environment.put("WAYBILL_RUNTIME_TRACING_PROJECT", plan.name());
        environment.put("WAYBILL_RUNTIME_RUNS_DRAIN_TIMEOUT", config.drainTimeout().toSeconds() + "s");
        config.settings().forEach((name, value) -> environment.put(variable(name), value));
        environment.putAll(ThreadSettings.variables(plan, config.settings()));
        environment.put("WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID", plan.tenantId().toString());
        environment.put("QUARKUS_HTTP_HOST", "0.0.0.0");
        environment.put("QUARKUS_HTTP_PORT", String.valueOf(PORT));
        environment.put("QUARKUS_MANAGEMENT_PORT", String.valueOf(MANAGEMENT_PORT));
        environment.put("PORT", String.valueOf(PORT));
        boolean managedRuntime = plan.source() instanceof Commit;
        if (plan.source() instanceof Commit source) {
            environment.put("WAYBILL_RUNTIME_DIRECTORY", folder(source));
            environment.put("WAYBILL_RUNTIME_CONFIGURATION", file(source));
            environment.put("WAYBILL_RUNTIME_WORKER_FAILURE_FILE", "/dev/termination-log");
        }
        return withSecrets(plan, confined(plan, "application", image))
                .withEnv(variables(environment))
                .withVolumeMounts(mounts())
                .withPorts(
                        managedRuntime ? List.of(port("http", PORT), port("management", MANAGEMENT_PORT))
                                : List.of(port("http", PORT)))
                .withStartupProbe(probe(managedRuntime ? "/q/health/started" : "/ok", PROBE_SECONDS,
                        (int) Math.max(1, config.healthTimeout().toSeconds() / PROBE_SECONDS)))
                .withReadinessProbe(probe(managedRuntime ? "/q/health/ready" : "/ok", PROBE_SECONDS, 3))
                .withLivenessProbe(probe(managedRuntime ? "/q/health/live" : "/ok", 10, 6))
                .withNewLifecycle().withNewPreStop().withNewSleep(config.preStopDelay().toSeconds()).endPreStop().endLifecycle()
                .build();
    }

    private static ContainerPort port(String name, int port) {
        return new ContainerPortBuilder().withName(name).withContainerPort(port).withProtocol("TCP").build();
    }

    private static Map<String, String> baseEnvironment() {
        Map<String, String> environment = new TreeMap<>();
        environment.put("HOME", "/tmp");
        environment.put("PYTHONUSERBASE", PACKAGES);
        return environment;
    }

    private ContainerBuilder confined(RevisionSpec plan, String name, String image) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withResources(podResources.of(plan.resources()))
                .withSecurityContext(confinement())
                .withTerminationMessagePolicy("File");
    }

    private static ContainerBuilder withSecrets(RevisionSpec plan, ContainerBuilder container) {
        return container.addNewEnvFrom()
                .withNewSecretRef().withName(ObjectNames.revision(plan.revisionId())).endSecretRef()
                .endEnvFrom();
    }

    private static SecurityContext confinement() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities().withDrop("ALL").endCapabilities()
                .build();
    }

    private static Probe probe(String path, int seconds, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet().withPath(path).withPort(new IntOrString("http")).withScheme("HTTP").endHttpGet()
                .withPeriodSeconds(seconds)
                .withTimeoutSeconds(3)
                .withFailureThreshold(failures)
                .build();
    }

    private static List<VolumeMount> mounts() {
        return List.of(new VolumeMountBuilder().withName(FILES).withMountPath(FILES_PATH).build(),
                new VolumeMountBuilder().withName(TEMPORARY).withMountPath("/tmp").build());
    }

    private static VolumeMount readOnly(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path).withReadOnly(true).build();
    }

    private static List<EnvVar> variables(Map<String, String> environment) {
        return environment.entrySet().stream()
                .map(entry -> new EnvVarBuilder().withName(entry.getKey()).withValue(literal(entry.getValue())).build())
                .toList();
    }

    // Kubernetes expands $(NAME) in values; $$ escapes a dollar sign.
    private static String literal(String value) {
        return value.replace("$", "$$");
    }

    private static void putIfPresent(Map<String, String> environment, String name, Optional<String> value) {
        value.filter(text -> !text.isBlank()).ifPresent(text -> environment.put(name, text));
    }

    private static String transport(String url) {
        int end = url.indexOf(':');
        String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        return scheme.equals("http") ? "http" : scheme.equals("https") ? "https" : "ssh";
    }

    private static String folder(Commit source) {
        int end = source.configPath().lastIndexOf('/');
        return end < 0 ? REPOSITORY : REPOSITORY + "/" + source.configPath().substring(0, end);
    }

    private static String file(Commit source) {
        return source.configPath().substring(source.configPath().lastIndexOf('/') + 1);
    }

    private static String variable(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** The files of a repository's credential that fetch.sh reads, by name. */
    static final class CredentialFiles {

        /** An /etc/passwd with the container's user. */
        static final String USERS = "passwd";

        private CredentialFiles() {
        }

        /** @param runAs numeric id of the container's user */
        static Map<String, String> of(Credential credential, long runAs) {
            return switch (credential) {
                case AccessToken token -> Map.of("token", token.secret());
                case DeployKey key -> Map.of("key", key.secret().stripTrailing() + "\n", "known_hosts",
                        knownHosts(key.knownHosts()), USERS, user(runAs));
            };
        }

        /** Adds a wildcard host to lines without one; fetch.sh connects to the repository's host only. */
        private static String knownHosts(String lines) {
            return lines.lines()
                    .map(line -> line.matches("(ssh|ecdsa)-\\S+\\s.*") ? "* " + line : line)
                    .collect(Collectors.joining("\n", "", "\n"));
        }

        /** Returns the user's entry: ssh requires one, and the image may not have it. */
        private static String user(long runAs) {
            return "waybill:x:%1$s:%1$s::/tmp:/bin/sh\n".formatted(runAs);
        }
    }

    /** The shell scripts of init containers, loaded from resources. */
    static final class InitScripts {

        static final String FETCH = "fetch.sh";
        static final String ASKPASS = "askpass.sh";
        static final String INSTALL = "install.sh";

        private InitScripts() {
        }

        /** Returns the scripts by file name. */
        static Map<String, String> all() {
            Map<String, String> texts = new TreeMap<>();
            for (String name : new String[] { FETCH, ASKPASS, INSTALL }) {
                texts.put(name, read(name));
            }
            return texts;
        }

        private static String read(String name) {
            try (InputStream in = InitScripts.class.getResourceAsStream("/kubernetes/" + name)) {
                if (in == null) {
                    throw new IllegalStateException("missing resource kubernetes/" + name);
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
