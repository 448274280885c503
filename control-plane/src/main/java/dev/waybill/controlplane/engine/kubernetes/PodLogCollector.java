package dev.waybill.controlplane.engine.kubernetes;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem.ContainerLog;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;

/**
 * Copies the output of a revision's init containers into its log. Positions are stored in memory only: another replica copies
 * the output from the beginning.
 */
@Singleton
class PodLogCollector {

    private static final int TAIL_LINES = 20;
    private static final int TAIL_BYTES = 8 << 10;
    private static final int MAX_ENTRIES = 10_000;

    private final KubernetesApi cluster;
    // Expires by itself, because this replica is not notified when another one completes the revision.
    private final ConcurrentMap<UUID, Position> positions = Caffeine.newBuilder()
            .maximumSize(MAX_ENTRIES)
            .expireAfterAccess(Duration.ofHours(1))
            .<UUID, Position> build()
            .asMap();

    PodLogCollector(KubernetesApi cluster) {
        this.cluster = cluster;
    }

    /** Logs a message unless it equals the last one; returns whether it was logged. */
    boolean logOnce(RevisionSpec plan, Phase phase, BuildLog log, String message) {
        Position position = positions.computeIfAbsent(plan.revisionId(), _ -> new Position());
        if (message.equals(position.message)) {
            return false;
        }
        position.message = message;
        log.line(phase, Stream.SYSTEM, message);
        return true;
    }

    /** Logs a new problem, followed by the last lines of the application's own output if it ended. */
    void logProblem(RevisionSpec plan, String namespace, Phase phase, BuildLog log, PodProblem problem) {
        if (logOnce(plan, phase, log, problem.reason()) && problem.log() != null && problem.log().isApplication()) {
            tail(namespace, problem.log()).forEach(line -> log.line(phase, Stream.STDOUT, line));
        }
    }

    /** Copies new output of the first pod's init containers. */
    void collect(RevisionSpec plan, String namespace, List<Pod> pods, BuildLog log) {
        if (pods.isEmpty() || pods.getFirst().getStatus() == null) {
            return;
        }
        Pod pod = pods.getFirst();
        Position position = positions.computeIfAbsent(plan.revisionId(), _ -> new Position());
        for (ContainerStatus container : pod.getStatus().getInitContainerStatuses()) {
            if (hasStarted(container)) {
                String name = pod.getMetadata().getName() + "/" + container.getName();
                String since = position.times.getOrDefault(name, "");
                String text = cluster.logSince(namespace, pod.getMetadata().getName(), container.getName(), since);
                position.times.put(name, copyNewLines(text, since, log));
            }
        }
    }

    /** Discards the revision's positions. */
    void forget(UUID revisionId) {
        positions.remove(revisionId);
    }

    /**
     * Returns the last lines of an init container, formatted as a suffix of a reason. The application's own output is only
     * logged, because it can contain anything.
     */
    String tailForReason(String namespace, @Nullable ContainerLog log) {
        if (log == null || log.isApplication()) {
            return "";
        }
        List<String> lines = tail(namespace, log);
        return lines.isEmpty() ? "" : " Its last lines:\n" + String.join("\n", lines);
    }

    private List<String> tail(String namespace, ContainerLog log) {
        String text = cluster.lastLines(namespace, log.pod(), log.container(), log.previous(), TAIL_LINES, TAIL_BYTES);
        return completeLines(text, TAIL_BYTES).stream().filter(line -> !line.isBlank())
                .map(PodLogCollector::withoutControlCharacters).toList();
    }

    // The API's since time has a resolution of a second, so lines are returned
    // repeatedly; their own timestamps are in nanoseconds.
    private static String copyNewLines(String text, String since, BuildLog log) {
        String last = since;
        for (String line : completeLines(text, KubernetesApi.MAX_LOG_BYTES)) {
            int end = line.indexOf(' ');
            String time = end < 0 ? line : line.substring(0, end);
            if (time.compareTo(since) > 0) {
                log.line(Phase.BUILD, Stream.STDOUT, end < 0 ? "" : withoutControlCharacters(line.substring(end + 1)));
                last = time;
            }
        }
        return last;
    }

    /** Returns the lines without an incomplete last one, because half a secret would not be redacted. */
    private static List<String> completeLines(String text, int maxBytes) {
        List<String> lines = text.lines().toList();
        boolean cut = !text.endsWith("\n") && text.getBytes(StandardCharsets.UTF_8).length >= maxBytes;
        return cut ? lines.subList(0, lines.size() - 1) : lines;
    }

    private static boolean hasStarted(ContainerStatus container) {
        return container.getState() != null
                && (container.getState().getRunning() != null || container.getState().getTerminated() != null);
    }

    private static String withoutControlCharacters(String line) {
        return line.replaceAll("\\p{Cntrl}", " ").stripTrailing();
    }

    private static final class Position {

        private final Map<String, String> times = new ConcurrentHashMap<>();
        private volatile String message = "";
    }
}
