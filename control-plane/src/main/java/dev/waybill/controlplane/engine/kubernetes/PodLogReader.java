package dev.waybill.controlplane.engine.kubernetes;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.LineReader.LineConsumer;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import dev.waybill.controlplane.engine.kubernetes.KubernetesApi.LogRange;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;

/**
 * Reads the output of a revision's pods from the cluster, which retains the newest part of each container's. Positions are
 * times in microseconds. Lines of the last two seconds are read later, so that a position is after all lines of all pods.
 */
@Singleton
class PodLogReader {

    /** Maximum difference between the clocks of two nodes. */
    static final Duration HOLD_BACK = Duration.ofSeconds(2);
    private static final String CONTAINER = "application";
    private static final int MAX_TAIL = 100_000;
    private static final int TAIL_GROWTH = 8;

    private final KubernetesApi cluster;
    private final KubernetesEngineConfig config;
    private final Clock clock;

    PodLogReader(KubernetesApi cluster, KubernetesEngineConfig config, Clock clock) {
        this.cluster = cluster;
        this.config = config;
        this.clock = clock;
    }

    ServerLog read(ApplicationId application, ServerLogQuery query, Redaction redaction) {
        String namespace = config.namespace(application.tenantId());
        long end = micros(clock.instant().minus(HOLD_BACK));
        Long position = query.position();
        if (position != null && position >= end) {
            return ServerLog.empty(position);
        }
        List<ServerLog> logs = new ArrayList<>();
        for (Pod pod : cluster.pods(namespace, Map.of(ObjectNames.REVISION, application.revisionId().toString()))) {
            logs.add(read(namespace, pod, query, end, redaction));
        }
        return ServerLog.merge(logs, query, end);
    }

    private ServerLog read(String namespace, Pod pod, ServerLogQuery query, long end, Redaction redaction) {
        Integer tail = query.position() == null && query.selectsAll() ? query.limit() : null;
        while (true) {
            PodLines lines = new PodLines(query, end, redaction, instance(pod.getMetadata().getName()));
            ServerLog log = read(namespace, pod, since(query), tail, lines);
            // The newest lines are held back: of an application that writes much, these can be all of the tail.
            if (tail == null || !lines.areHeldBack || log.lines().size() >= query.limit() || tail >= MAX_TAIL) {
                return log;
            }
            tail = Math.min(MAX_TAIL, tail * TAIL_GROWTH);
        }
    }

    private ServerLog read(String namespace, Pod pod, @Nullable Instant since, @Nullable Integer tail, PodLines lines) {
        String name = pod.getMetadata().getName();
        if (hasRestarted(pod)) {
            cluster.readLog(namespace, name, CONTAINER, new LogRange(true, since, tail), lines);
        }
        if (!lines.isFull()) {
            cluster.readLog(namespace, name, CONTAINER, new LogRange(false, since, tail), lines);
        }
        return lines.toLog();
    }

    private static @Nullable Instant since(ServerLogQuery query) {
        Long position = query.position();
        return position == null ? query.since() : Instant.EPOCH.plus(position, ChronoUnit.MICROS);
    }

    private static boolean hasRestarted(Pod pod) {
        return pod.getStatus() != null && pod.getStatus().getContainerStatuses().stream()
                .filter(container -> container.getName().equals(CONTAINER))
                .anyMatch((ContainerStatus container) -> container.getRestartCount() > 0);
    }

    /** Returns a name of the pod that says nothing about the cluster. */
    static String instance(String pod) {
        return String.format("%08x", pod.hashCode());
    }

    private static @Nullable Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            return null;
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** Collects the lines of one pod from the requested position to the end. */
    private static final class PodLines implements LineConsumer {

        private final ServerLogQuery query;
        private final long end;
        private final ServerLog.Collector lines;
        private long full = Long.MAX_VALUE;
        private long next;
        private boolean areHeldBack;

        PodLines(ServerLogQuery query, long end, Redaction redaction, String instance) {
            this.query = query;
            this.end = end;
            this.next = end;
            this.lines = new ServerLog.Collector(query, redaction, instance, Instant.EPOCH);
        }

        @Override
        public boolean accept(String line, boolean isCut, long read) {
            int space = line.indexOf(' ');
            Instant time = time(space < 0 ? line : line.substring(0, space));
            if (time == null) {
                return true;
            }
            long at = micros(time);
            if (at >= end) {
                areHeldBack = true;
                return false;
            }
            // The next page begins after this microsecond, so all of its lines belong to this page.
            if (at > full) {
                next = full + 1;
                return false;
            }
            Long position = query.position();
            if ((position == null || at >= position)
                    && !lines.add(time, space < 0 ? "" : line.substring(space + 1), isCut, at + 1)) {
                full = at;
            }
            return true;
        }

        boolean isFull() {
            return next < end;
        }

        ServerLog toLog() {
            return lines.toLog(0, next);
        }
    }
}
