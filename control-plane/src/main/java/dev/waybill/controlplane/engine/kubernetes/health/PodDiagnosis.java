package dev.waybill.controlplane.engine.kubernetes.health;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ReportedFailure;
import dev.waybill.controlplane.engine.kubernetes.health.Trouble.Words;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;

/** What keeps one pod from becoming ready. */
final class PodDiagnosis {

    /** The exit code of fetch.sh when the repository could not be had. */
    private static final int NOT_FETCHED = 10;

    private final Sighting seen;

    PodDiagnosis(Sighting seen) {
        this.seen = seen;
    }

    Optional<Trouble> trouble(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        Optional<Trouble> unplaced = Diagnosis.condition(pod, "PodScheduled")
                .filter(condition -> "False".equals(condition.getStatus()) && "Unschedulable".equals(condition.getReason()))
                .map(condition -> unschedulable(pod, condition));
        return unplaced
                .or(() -> Stream
                        .concat(pod.getStatus().getInitContainerStatuses().stream(),
                                pod.getStatus().getContainerStatuses().stream())
                        .map(container -> trouble(pod, container))
                        .flatMap(Optional::stream)
                        .findFirst())
                .or(() -> told(pod));
    }

    private static Trouble unschedulable(Pod pod, PodCondition condition) {
        return Trouble.passing("No node of the cluster has room for the application: " + sentence(condition.getMessage())
                + asked(pod) + " Ask for less in source_config.resource_spec, or have the operator add nodes.");
    }

    private static String asked(Pod pod) {
        return pod.getSpec() == null || pod.getSpec().getContainers().isEmpty()
                || pod.getSpec().getContainers().getFirst().getResources() == null ? ""
                        : " It asks for " + pod.getSpec().getContainers().getFirst().getResources().getRequests().entrySet()
                                .stream().map(entry -> entry.getKey() + " " + entry.getValue())
                                .sorted().reduce((one, two) -> one + " and " + two).orElse("nothing") + ".";
    }

    private Optional<Trouble> trouble(Pod pod, ContainerStatus container) {
        if (container.getState() == null) {
            return Optional.empty();
        }
        ContainerStateWaiting waiting = container.getState().getWaiting();
        if (waiting != null && waiting.getReason() != null) {
            Optional<Trouble> found = waiting(pod, container, waiting);
            if (found.isPresent()) {
                return found;
            }
        }
        ContainerStateTerminated present = container.getState().getTerminated();
        if (present != null) {
            return isGood(container, present) ? Optional.empty() : Optional.of(ended(pod, container, present, false));
        }
        ContainerStateTerminated before = container.getLastState() == null ? null : container.getLastState().getTerminated();
        boolean ready = Boolean.TRUE.equals(container.getReady());
        return before == null || ready || isGood(container, before) ? Optional.empty()
                : Optional.of(ended(pod, container, before, true));
    }

    /** Steps of preparation are to end; an application is not, however it says goodbye. */
    private static boolean isGood(ContainerStatus container, ContainerStateTerminated end) {
        return end.getExitCode() == 0 && isPreparation(container);
    }

    private static boolean isPreparation(ContainerStatus container) {
        return container.getName().equals("fetch") || container.getName().equals("install");
    }

    private Optional<Trouble> waiting(Pod pod, ContainerStatus container, ContainerStateWaiting waiting) {
        String message = sentence(waiting.getMessage());
        return switch (waiting.getReason()) {
            case "ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ImageInspectError" ->
                Optional.of(new Trouble("The image \"" + container.getImage() + "\" cannot be pulled: " + message
                        + " Check its name and that it is there, and that the cluster may read it.", isYoung(pod), null));
            case "InvalidImageName", "ErrImageNeverPull" -> Optional.of(Trouble.lasting("The image \"" + container.getImage()
                    + "\" cannot be pulled: " + message + " Write it as registry/repository:tag or with @sha256:..."));
            case "CreateContainerConfigError" -> Optional.of(configuration(pod, message));
            case "CreateContainerError", "RunContainerError" ->
                Optional.of(new Trouble("The container \"" + container.getName() + "\" cannot be started: " + message,
                        container.getRestartCount() < seen.patience().crashes() && isYoung(pod), null));
            default -> Optional.empty();
        };
    }

    private Trouble configuration(Pod pod, String message) {
        return message.contains("runAsNonRoot") || message.contains("run as root")
                ? Trouble.lasting("The image runs as root or as a user without a number, which is not allowed here: " + message
                        + " Give it a line such as USER 10001.")
                : new Trouble("The container cannot be made: " + message, isYoung(pod), null);
    }

    private Trouble ended(Pod pod, ContainerStatus container, ContainerStateTerminated end, boolean previous) {
        Words words = new Words(pod.getMetadata().getName(), container.getName(), previous);
        boolean often = container.getRestartCount() >= seen.patience().crashes();
        if ("OOMKilled".equals(end.getReason())) {
            return new Trouble(subject(container) + " was ended because it used more memory than its limit"
                    + limit(pod, container) + ". Raise source_config.resource_spec.memory_limit_mb, or let it need less.",
                    !often && !isPreparation(container), words);
        }
        return switch (container.getName()) {
            case "fetch" -> end.getExitCode() == NOT_FETCHED
                    ? new Trouble("The repository could not be fetched in the cluster. The control plane can reach it, so look"
                            + " at the cluster's network.", !often, words)
                    : new Trouble("The repository could not be laid out (exit code " + end.getExitCode() + ").", false, words);
            case "install" -> new Trouble("Installing what the application needs ended with exit code " + end.getExitCode()
                    + ".", false, words);
            default -> reported(end).orElseGet(() -> new Trouble(
                    "The application ended with exit code " + end.getExitCode() + times(container) + probes(pod), !often,
                    words));
        };
    }

    // The runtime's failure file is the termination message; its last line has the reason.
    private static Optional<Trouble> reported(ContainerStateTerminated end) {
        return Optional.ofNullable(end.getMessage())
                .flatMap(message -> message.lines().reduce((_, last) -> last))
                .flatMap(ReportedFailure::reason)
                .map(Trouble::lasting);
    }

    private static String times(ContainerStatus container) {
        int restarts = container.getRestartCount();
        return restarts == 0 ? "."
                : restarts == 1 ? ", and was started again."
                        : ", and was started again " + restarts
                                + " times.";
    }

    private static String subject(ContainerStatus container) {
        return switch (container.getName()) {
            case "fetch" -> "Fetching the repository";
            case "install" -> "Installing what the application needs";
            default -> "The application";
        };
    }

    private static String limit(Pod pod, ContainerStatus container) {
        return pod.getSpec() == null ? ""
                : Stream.concat(pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                        .filter(made -> made.getName().equals(container.getName()) && made.getResources() != null)
                        .map(made -> made.getResources().getLimits().get("memory"))
                        .filter(Objects::nonNull)
                        .map(Quantity::toString).map(text -> " of " + text)
                        .findFirst().orElse("");
    }

    /** What only events tell. */
    private Optional<Trouble> told(Pod pod) {
        return lastWarning(pod, "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox")
                .map(event -> new Trouble("The cluster cannot give the application's pod what it needs: "
                        + sentence(event.getMessage()), true, null))
                .or(() -> lastWarning(pod, "Unhealthy")
                        .map(event -> Trouble.passing("The application runs and does not answer its health check yet: "
                                + sentence(event.getMessage()))));
    }

    private String probes(Pod pod) {
        return lastWarning(pod, "Unhealthy").map(event -> " Its health check says: " + sentence(event.getMessage())).orElse("");
    }

    private Optional<Event> lastWarning(Pod pod, String... reasons) {
        return seen.events().stream()
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
                    || Duration.between(Instant.parse(begin), seen.now()).compareTo(seen.patience().pullTime()) < 0;
        } catch (DateTimeParseException _) {
            return true;
        }
    }

    private static String sentence(@Nullable String message) {
        String text = message == null ? "" : message.strip();
        return text.isEmpty() || text.endsWith(".") ? text : text + ".";
    }
}
