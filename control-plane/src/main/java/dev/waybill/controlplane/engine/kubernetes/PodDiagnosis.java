package dev.waybill.controlplane.engine.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.WorkerFailureReport;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem.ContainerLog;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.RevisionSnapshot;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;

/** Finds the problem that keeps a pod from becoming ready. */
final class PodDiagnosis {

    /** Exit code of fetch.sh if the repository could not be fetched. */
    private static final int FETCH_FAILED = 10;
    /** Number of exits after which a container's failure is permanent. */
    static final int MAX_CRASHES = 3;
    /** Time during which a failing image pull is retried. */
    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(1);

    private final RevisionSnapshot snapshot;

    PodDiagnosis(RevisionSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    Optional<PodProblem> problem(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        Optional<PodProblem> unplaced = Diagnosis.condition(pod, "PodScheduled")
                .filter(condition -> "False".equals(condition.getStatus()) && "Unschedulable".equals(condition.getReason()))
                .map(condition -> unschedulable(pod, condition));
        return unplaced
                .or(() -> Stream
                        .concat(pod.getStatus().getInitContainerStatuses().stream(),
                                pod.getStatus().getContainerStatuses().stream())
                        .map(container -> problem(pod, container))
                        .flatMap(Optional::stream)
                        .findFirst())
                .or(() -> eventProblem(pod));
    }

    private static PodProblem unschedulable(Pod pod, PodCondition condition) {
        return PodProblem.transientProblem("No node of the cluster has capacity for the application: "
                + sentence(condition.getMessage())
                + requestedResources(pod) + " Request less in source_config.resource_spec, or ask the operator to add nodes.");
    }

    private static String requestedResources(Pod pod) {
        return pod.getSpec() == null || pod.getSpec().getContainers().isEmpty()
                || pod.getSpec().getContainers().getFirst().getResources() == null ? ""
                        : " It requests " + pod.getSpec().getContainers().getFirst().getResources().getRequests().entrySet()
                                .stream().map(entry -> entry.getKey() + " " + entry.getValue())
                                .sorted().reduce((one, two) -> one + " and " + two).orElse("nothing") + ".";
    }

    private Optional<PodProblem> problem(Pod pod, ContainerStatus container) {
        if (container.getState() == null) {
            return Optional.empty();
        }
        ContainerStateWaiting waiting = container.getState().getWaiting();
        if (waiting != null && waiting.getReason() != null) {
            Optional<PodProblem> found = waiting(pod, container, waiting);
            if (found.isPresent()) {
                return found;
            }
        }
        ContainerStateTerminated present = container.getState().getTerminated();
        if (present != null) {
            return isExpected(container, present) ? Optional.empty() : Optional.of(terminated(pod, container, present, false));
        }
        ContainerStateTerminated before = container.getLastState() == null ? null : container.getLastState().getTerminated();
        boolean ready = Boolean.TRUE.equals(container.getReady());
        return before == null || ready || isExpected(container, before) ? Optional.empty()
                : Optional.of(terminated(pod, container, before, true));
    }

    /** Returns whether the exit is expected: init containers exit with 0; an application must not exit at all. */
    private static boolean isExpected(ContainerStatus container, ContainerStateTerminated end) {
        return end.getExitCode() == 0 && isPreparation(container.getName());
    }

    /** Returns whether the container runs before the application's. */
    static boolean isPreparation(String container) {
        return container.equals("fetch") || container.equals("install");
    }

    private Optional<PodProblem> waiting(Pod pod, ContainerStatus container, ContainerStateWaiting waiting) {
        String message = sentence(waiting.getMessage());
        return switch (waiting.getReason()) {
            case "ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ImageInspectError" ->
                Optional.of(new PodProblem("The image \"" + container.getImage() + "\" cannot be pulled: " + message
                        + " Check its name, that it exists, and that the cluster may pull it.", isYoung(pod), null));
            case "InvalidImageName", "ErrImageNeverPull" ->
                Optional.of(PodProblem.permanentProblem("The image \"" + container.getImage()
                        + "\" cannot be pulled: " + message + " Write it as registry/repository:tag or with @sha256:..."));
            case "CreateContainerConfigError" -> Optional.of(configuration(pod, message));
            case "CreateContainerError", "RunContainerError" ->
                Optional.of(new PodProblem("The container \"" + container.getName() + "\" cannot be started: " + message,
                        container.getRestartCount() < MAX_CRASHES && isYoung(pod), null));
            default -> Optional.empty();
        };
    }

    private PodProblem configuration(Pod pod, String message) {
        return message.contains("runAsNonRoot") || message.contains("run as root")
                ? PodProblem.permanentProblem(
                        "The image runs as root or as a user without a number, which is not allowed here: " + message
                                + " Add a line such as USER 10001 to its Dockerfile.")
                : new PodProblem("The container cannot be created: " + message, isYoung(pod), null);
    }

    private PodProblem terminated(Pod pod, ContainerStatus container, ContainerStateTerminated end, boolean previous) {
        ContainerLog log = new ContainerLog(pod.getMetadata().getName(), container.getName(), previous);
        boolean tooManyRestarts = container.getRestartCount() >= MAX_CRASHES;
        if ("OOMKilled".equals(end.getReason())) {
            return new PodProblem(subject(container) + " was killed because it used more memory than its limit"
                    + limit(pod, container) + ". Raise source_config.resource_spec.memory_limit_mb, or reduce its memory use.",
                    !tooManyRestarts && !isPreparation(container.getName()), log);
        }
        return switch (container.getName()) {
            case "fetch" -> end.getExitCode() == FETCH_FAILED
                    ? new PodProblem(
                            "The repository could not be fetched in the cluster. The control plane can reach it, so check "
                                    + "the cluster's network.",
                            !tooManyRestarts, log)
                    : new PodProblem("The repository could not be checked out (exit code " + end.getExitCode() + ").", false,
                            log);
            case "install" -> new PodProblem("Installing dependencies ended with exit code " + end.getExitCode()
                    + ".", false, log);
            default -> reported(end).orElseGet(() -> new PodProblem(
                    "The application ended with exit code " + end.getExitCode() + restartCount(container) + probes(pod),
                    !tooManyRestarts,
                    log));
        };
    }

    // The runtime's failure file is the termination message; its last line has the reason.
    private static Optional<PodProblem> reported(ContainerStateTerminated end) {
        return Optional.ofNullable(end.getMessage())
                .flatMap(message -> message.lines().reduce((_, last) -> last))
                .flatMap(WorkerFailureReport::reason)
                .map(PodProblem::permanentProblem);
    }

    private static String restartCount(ContainerStatus container) {
        int restarts = container.getRestartCount();
        return restarts == 0 ? "."
                : restarts == 1 ? " and was restarted."
                        : " and was restarted " + restarts + " times.";
    }

    private static String subject(ContainerStatus container) {
        return switch (container.getName()) {
            case "fetch" -> "Fetching the repository";
            case "install" -> "Installing dependencies";
            default -> "The application";
        };
    }

    private static String limit(Pod pod, ContainerStatus container) {
        return pod.getSpec() == null ? ""
                : Stream.concat(pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                        .filter(candidate -> candidate.getName().equals(container.getName())
                                && candidate.getResources() != null)
                        .map(candidate -> candidate.getResources().getLimits().get("memory"))
                        .filter(Objects::nonNull)
                        .map(Quantity::toString).map(text -> " of " + text)
                        .findFirst().orElse("");
    }

    /** Returns a problem that only events report. */
    private Optional<PodProblem> eventProblem(Pod pod) {
        return lastWarning(pod, "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox")
                .map(event -> new PodProblem("The cluster cannot provide the pod's volumes or network: "
                        + sentence(event.getMessage()), true, null))
                .or(() -> lastWarning(pod, "Unhealthy")
                        .map(event -> PodProblem
                                .transientProblem("The application runs and does not pass its health check yet: "
                                        + sentence(event.getMessage()))));
    }

    private String probes(Pod pod) {
        return lastWarning(pod, "Unhealthy").map(event -> " Its health check failed: " + sentence(event.getMessage()))
                .orElse("");
    }

    private Optional<Event> lastWarning(Pod pod, String... reasons) {
        return snapshot.events().stream()
                .filter(event -> pod.getMetadata().getName().equals(event.getInvolvedObject().getName())
                        && List.of(reasons).contains(event.getReason()))
                .max(Comparator.comparing(PodDiagnosis::time));
    }

    private static String time(Event event) {
        return Stream.of(event.getLastTimestamp(), event.getFirstTimestamp(), event.getMetadata().getCreationTimestamp())
                .filter(Objects::nonNull)
                .findFirst().orElse("");
    }

    private boolean isYoung(Pod pod) {
        try {
            String begin = pod.getStatus().getStartTime();
            return begin == null
                    || Duration.between(Instant.parse(begin), snapshot.now()).compareTo(PULL_TIMEOUT) < 0;
        } catch (DateTimeParseException _) {
            return true;
        }
    }

    private static String sentence(@Nullable String message) {
        String text = message == null ? "" : message.strip();
        return text.isEmpty() || text.endsWith(".") ? text : text + ".";
    }
}
