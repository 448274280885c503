package dev.waybill.controlplane.engine.kubernetes;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;

/** Derives a revision's health from a snapshot of its objects. */
public final class Diagnosis {

    private static final String EVICTED = "Evicted";

    private final RevisionSnapshot snapshot;
    private final PodDiagnosis podDiagnosis;

    private Diagnosis(RevisionSnapshot snapshot) {
        this.snapshot = snapshot;
        this.podDiagnosis = new PodDiagnosis(snapshot);
    }

    public static Health of(RevisionSnapshot snapshot) {
        return new Diagnosis(snapshot).health();
    }

    private Health health() {
        List<Pod> pods = snapshot.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(Comparator.comparing(pod -> String.valueOf(pod.getMetadata().getCreationTimestamp())))
                .toList();
        List<Pod> live = pods.stream().filter(pod -> !isFinished(pod)).toList();
        boolean ready = isReady();
        boolean serving = ready || live.stream().anyMatch(Diagnosis::isReady);
        boolean built = ready || live.stream().anyMatch(Diagnosis::isBuilt);
        PodProblem problem = ready ? null : problem(pods, live);
        return new Health(built, ready, serving, ready ? "It serves." : activity(live), problem);
    }

    private boolean isReady() {
        Deployment deployment = snapshot.deployment();
        if (deployment == null || deployment.getStatus() == null || deployment.getSpec() == null) {
            return false;
        }
        int desired = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
        int available = Objects.requireNonNullElse(deployment.getStatus().getAvailableReplicas(), 0);
        int updated = Objects.requireNonNullElse(deployment.getStatus().getUpdatedReplicas(), 0);
        long generation = Objects.requireNonNullElse(deployment.getMetadata().getGeneration(), 0L);
        long observed = Objects.requireNonNullElse(deployment.getStatus().getObservedGeneration(), 0L);
        return desired > 0 && available >= desired && updated >= desired && observed >= generation;
    }

    private @Nullable PodProblem problem(List<Pod> pods, List<Pod> live) {
        List<PodProblem> found = Stream.of(
                live.stream().filter(pod -> !isReady(pod)).map(podDiagnosis::problem).flatMap(Optional::stream),
                rejected().stream(), evicted(pods).stream())
                .flatMap(problems -> problems)
                .toList();
        return found.stream().filter(Predicate.not(PodProblem::retryable)).findFirst()
                .orElse(found.isEmpty() ? null : found.getFirst());
    }

    /** Returns the problem if the cluster rejected a pod. */
    private Optional<PodProblem> rejected() {
        Deployment deployment = snapshot.deployment();
        if (deployment == null || deployment.getStatus() == null) {
            return Optional.empty();
        }
        return deployment.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("ReplicaFailure") && condition.getStatus().equals("True"))
                .findFirst()
                .map(DeploymentCondition::getMessage)
                .map(Diagnosis::rejected);
    }

    private static PodProblem rejected(String message) {
        if (message.contains("exceeded quota")) {
            return PodProblem.transientProblem("The namespace's quota in the cluster is exhausted: " + message
                    + ". Request less in source_config.resource_spec, delete a deployment, or ask the operator to raise the quota.");
        }
        if (message.contains("PodSecurity")) {
            return PodProblem.permanentProblem("The cluster's pod security rejects the application: " + message
                    + ". Ask the operator to fix it: the namespace must allow what the standard \"restricted\" allows.");
        }
        return PodProblem.transientProblem("The cluster rejects the application's pod: " + message + ".");
    }

    private Optional<PodProblem> evicted(List<Pod> pods) {
        List<Pod> evicted = pods.stream()
                .filter(pod -> pod.getStatus() != null && EVICTED.equals(pod.getStatus().getReason()))
                .toList();
        return evicted.isEmpty() ? Optional.empty()
                : Optional.of(new PodProblem("The cluster evicted the application's pod: "
                        + evicted.getLast().getStatus().getMessage()
                        + ". If the pod exceeded its disk limit, write less to disk; "
                        + "if the node did, the cluster needs more capacity.", evicted.size() < PodDiagnosis.MAX_CRASHES,
                        null));
    }

    private static String activity(List<Pod> live) {
        return live.stream()
                .map(Diagnosis::activity)
                .min(Comparator.comparing(Activity::ordinal).reversed())
                .orElse(Activity.WAITING).message;
    }

    private static Activity activity(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getContainerStatuses().isEmpty()) {
            return Activity.WAITING;
        }
        if (isBuilt(pod)) {
            return Activity.STARTING;
        }
        return pod.getStatus().getInitContainerStatuses().stream()
                .filter(container -> container.getState() != null && container.getState().getRunning() != null)
                .map(container -> container.getName().equals("install") ? Activity.INSTALLING : Activity.FETCHING)
                .findFirst().orElse(Activity.PULLING);
    }

    private static boolean isFinished(Pod pod) {
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
        return steps == 0 ? pod.getStatus().getContainerStatuses().stream().anyMatch(Diagnosis::hasStarted)
                : inits.size() == steps && inits.stream().allMatch(Diagnosis::hasSucceeded);
    }

    private static boolean hasSucceeded(ContainerStatus container) {
        return container.getState() != null && container.getState().getTerminated() != null
                && container.getState().getTerminated().getExitCode() == 0;
    }

    private static boolean hasStarted(ContainerStatus container) {
        return container.getState() != null && (container.getState().getRunning() != null
                || container.getState().getTerminated() != null || container.getRestartCount() > 0);
    }

    static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus() == null ? Optional.empty()
                : pod.getStatus().getConditions().stream().filter(condition -> condition.getType().equals(type)).findFirst();
    }

    private enum Activity {
        WAITING("Waiting for a node of the cluster."),
        PULLING("Pulling the image."),
        FETCHING("Fetching the repository."),
        INSTALLING("Installing dependencies."),
        STARTING("Starting the application.");

        private final String message;

        Activity(String message) {
            this.message = message;
        }
    }

    /**
     * A problem that keeps a revision from serving.
     *
     * @param reason what happened and what the user can do about it
     * @param retryable whether waiting can resolve it
     * @param log the container whose last output supplements the reason; null for none
     */
    public record PodProblem(String reason, boolean retryable, @Nullable ContainerLog log) {

        /**
         * A container's log.
         *
         * @param previous whether the log of the previous run is meant
         */
        public record ContainerLog(String pod, String container, boolean previous) {

            boolean isApplication() {
                return !PodDiagnosis.isPreparation(container);
            }
        }

        static PodProblem transientProblem(String reason) {
            return new PodProblem(reason, true, null);
        }

        static PodProblem permanentProblem(String reason) {
            return new PodProblem(reason, false, null);
        }
    }

    /**
     * The cluster's objects of a revision at one moment.
     *
     * @param deployment null if it does not exist
     * @param pods the revision's pods
     * @param events events of pods that are not ready
     */
    public record RevisionSnapshot(@Nullable Deployment deployment, List<Pod> pods, List<Event> events, Instant now) {
    }

    /**
     * The health of a revision.
     *
     * @param built a pod has completed its init containers, or the image was pulled
     * @param ready the desired number of pods is ready
     * @param serving at least one pod is ready
     * @param activity a sentence about the current activity
     * @param problem null if there is none
     */
    public record Health(boolean built, boolean ready, boolean serving, String activity, @Nullable PodProblem problem) {

        /** Returns the message for the user while the revision is not ready. */
        public String message() {
            return problem == null ? activity : problem.reason();
        }
    }
}
