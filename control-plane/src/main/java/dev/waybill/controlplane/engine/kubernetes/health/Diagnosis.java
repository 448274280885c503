package dev.waybill.controlplane.engine.kubernetes.health;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;

/** How a revision does, as a function of what was seen. */
public final class Diagnosis {

    private static final String EVICTED = "Evicted";

    private final Sighting seen;
    private final PodDiagnosis podDiagnosis;

    private Diagnosis(Sighting seen) {
        this.seen = seen;
        this.podDiagnosis = new PodDiagnosis(seen);
    }

    public static Health of(Sighting seen) {
        return new Diagnosis(seen).health();
    }

    private Health health() {
        List<Pod> pods = seen.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(Comparator.comparing(pod -> String.valueOf(pod.getMetadata().getCreationTimestamp())))
                .toList();
        List<Pod> live = pods.stream().filter(pod -> !isOver(pod)).toList();
        boolean ready = isReady();
        boolean serving = ready || live.stream().anyMatch(Diagnosis::isReady);
        boolean built = ready || live.stream().anyMatch(Diagnosis::isBuilt);
        Trouble trouble = ready ? null : trouble(pods, live);
        return new Health(built, ready, serving, ready ? "It serves." : doing(live), trouble);
    }

    private boolean isReady() {
        Deployment deployment = seen.deployment();
        if (deployment == null || deployment.getStatus() == null || deployment.getSpec() == null) {
            return false;
        }
        int wanted = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
        int available = Objects.requireNonNullElse(deployment.getStatus().getAvailableReplicas(), 0);
        int updated = Objects.requireNonNullElse(deployment.getStatus().getUpdatedReplicas(), 0);
        long generation = Objects.requireNonNullElse(deployment.getMetadata().getGeneration(), 0L);
        long observed = Objects.requireNonNullElse(deployment.getStatus().getObservedGeneration(), 0L);
        return wanted > 0 && available >= wanted && updated >= wanted && observed >= generation;
    }

    private @Nullable Trouble trouble(List<Pod> pods, List<Pod> live) {
        List<Trouble> found = Stream.of(
                live.stream().filter(pod -> !isReady(pod)).map(podDiagnosis::trouble).flatMap(Optional::stream),
                refused().stream(), evicted(pods).stream())
                .flatMap(troubles -> troubles)
                .toList();
        return found.stream().filter(Predicate.not(Trouble::mayPass)).findFirst()
                .orElse(found.isEmpty() ? null : found.getFirst());
    }

    /** The cluster did not let a pod in. */
    private Optional<Trouble> refused() {
        Deployment deployment = seen.deployment();
        if (deployment == null || deployment.getStatus() == null) {
            return Optional.empty();
        }
        return deployment.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("ReplicaFailure") && condition.getStatus().equals("True"))
                .findFirst()
                .map(DeploymentCondition::getMessage)
                .map(Diagnosis::refused);
    }

    private static Trouble refused(String message) {
        if (message.contains("exceeded quota")) {
            return Trouble.passing("The namespace's quota in the cluster leaves no room for the application: " + message
                    + ". Ask for less in source_config.resource_spec, delete a deployment, or have the operator raise it.");
        }
        if (message.contains("PodSecurity")) {
            return Trouble.lasting("The cluster's pod security does not let the application in: " + message
                    + ". This is for the operator to mend: the namespace must allow what the standard \"restricted\" allows.");
        }
        return Trouble.passing("The cluster does not let the application's pod in: " + message + ".");
    }

    private Optional<Trouble> evicted(List<Pod> pods) {
        List<Pod> evicted = pods.stream()
                .filter(pod -> pod.getStatus() != null && EVICTED.equals(pod.getStatus().getReason()))
                .toList();
        return evicted.isEmpty() ? Optional.empty()
                : Optional.of(new Trouble("The cluster put the application's pod out: "
                        + evicted.getLast().getStatus().getMessage() + ". Where it ran out of space: write less to disk;"
                        + " where its node did, the cluster needs room.", evicted.size() < seen.patience().crashes(), null));
    }

    private static String doing(List<Pod> live) {
        return live.stream()
                .map(Diagnosis::doing)
                .min(Comparator.comparing(Doing::ordinal).reversed())
                .orElse(Doing.WAITING).words;
    }

    private static Doing doing(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getContainerStatuses().isEmpty()) {
            return Doing.WAITING;
        }
        if (isBuilt(pod)) {
            return Doing.STARTING;
        }
        return pod.getStatus().getInitContainerStatuses().stream()
                .filter(container -> container.getState() != null && container.getState().getRunning() != null)
                .map(container -> container.getName().equals("install") ? Doing.INSTALLING : Doing.FETCHING)
                .findFirst().orElse(Doing.PULLING);
    }

    private static boolean isOver(Pod pod) {
        return pod.getStatus() != null && ("Failed".equals(pod.getStatus().getPhase())
                || "Succeeded".equals(pod.getStatus().getPhase()));
    }

    private static boolean isReady(Pod pod) {
        return condition(pod, "Ready").map(ready -> ready.getStatus().equals("True")).orElse(false);
    }

    private static boolean isBuilt(Pod pod) {
        if (pod.getStatus() == null || pod.getSpec() == null) {
            return false;
        }
        int steps = pod.getSpec().getInitContainers().size();
        List<ContainerStatus> inits = pod.getStatus().getInitContainerStatuses();
        return steps == 0 ? pod.getStatus().getContainerStatuses().stream().anyMatch(Diagnosis::hasBegun)
                : inits.size() == steps && inits.stream().allMatch(Diagnosis::hasSucceeded);
    }

    private static boolean hasSucceeded(ContainerStatus container) {
        return container.getState() != null && container.getState().getTerminated() != null
                && container.getState().getTerminated().getExitCode() == 0;
    }

    private static boolean hasBegun(ContainerStatus container) {
        return container.getState() != null && (container.getState().getRunning() != null
                || container.getState().getTerminated() != null || container.getRestartCount() > 0);
    }

    static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus() == null ? Optional.empty()
                : pod.getStatus().getConditions().stream().filter(condition -> condition.getType().equals(type)).findFirst();
    }

    private enum Doing {
        WAITING("Waiting for a place in the cluster."),
        PULLING("Pulling the image."),
        FETCHING("Fetching the repository."),
        INSTALLING("Installing what the application needs."),
        STARTING("Starting the application.");

        private final String words;

        Doing(String words) {
            this.words = words;
        }
    }
}
