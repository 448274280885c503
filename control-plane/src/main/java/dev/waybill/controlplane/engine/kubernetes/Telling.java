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
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.health.Trouble.Words;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;

/**
 * Tells a revision's log what its containers say while they prepare it. How far it was told is remembered here alone: another
 * replica that goes on tells what it finds from the beginning.
 */
@Singleton
class Telling {

    private static final int LAST_LINES = 20;
    private static final int LAST_BYTES = 8 << 10;
    private static final int MOST = 10_000;

    private final Cluster cluster;
    // Of what another replica brought to its end nobody tells this one.
    private final ConcurrentMap<UUID, Told> told = Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterAccess(Duration.ofHours(1))
            .<UUID, Told> build()
            .asMap();

    Telling(Cluster cluster) {
        this.cluster = cluster;
    }

    /** A sentence of ours, once. */
    void say(Plan plan, Phase phase, BuildLog log, String sentence) {
        Told before = told.computeIfAbsent(plan.revisionId(), _ -> new Told());
        if (!sentence.equals(before.sentence)) {
            before.sentence = sentence;
            log.line(phase, Stream.SYSTEM, sentence);
        }
    }

    /** What was said since the last time by the containers that prepare the first pod. */
    void prepare(Plan plan, String namespace, List<Pod> pods, BuildLog log) {
        if (pods.isEmpty() || pods.getFirst().getStatus() == null) {
            return;
        }
        Pod pod = pods.getFirst();
        Told before = told.computeIfAbsent(plan.revisionId(), _ -> new Told());
        for (ContainerStatus container : pod.getStatus().getInitContainerStatuses()) {
            if (hasBegun(container)) {
                String name = pod.getMetadata().getName() + "/" + container.getName();
                String since = before.times.getOrDefault(name, "");
                String said = cluster.logSince(namespace, pod.getMetadata().getName(), container.getName(), since);
                before.times.put(name, tell(said, since, log));
            }
        }
    }

    /** Nothing more will be told of it, or it is begun anew. */
    void forget(UUID revisionId) {
        told.remove(revisionId);
    }

    /** The last lines of a container, to be put behind a reason. */
    String lastWords(String namespace, @Nullable Words words) {
        if (words == null) {
            return "";
        }
        String said = cluster.lastLines(namespace, words.pod(), words.container(), words.previous(), LAST_LINES, LAST_BYTES);
        List<String> lines = whole(said, LAST_BYTES).stream().filter(line -> !line.isBlank()).map(Telling::plain).toList();
        return lines.isEmpty() ? "" : " Its last lines:\n" + String.join("\n", lines);
    }

    // Times are asked for by the second, so that lines of that second come again; before each stands its own, to the nanosecond.
    private static String tell(String said, String since, BuildLog log) {
        String last = since;
        for (String line : whole(said, Cluster.MOST_BYTES)) {
            int end = line.indexOf(' ');
            String time = end < 0 ? line : line.substring(0, end);
            if (time.compareTo(since) > 0) {
                log.line(Phase.BUILD, Stream.STDOUT, end < 0 ? "" : plain(line.substring(end + 1)));
                last = time;
            }
        }
        return last;
    }

    /** Of what is as long as it may be the last line's end is missing: half a secret is not recognized as one. */
    private static List<String> whole(String said, int mostBytes) {
        List<String> lines = said.lines().toList();
        boolean cut = !said.endsWith("\n") && said.getBytes(StandardCharsets.UTF_8).length >= mostBytes;
        return cut ? lines.subList(0, lines.size() - 1) : lines;
    }

    private static boolean hasBegun(ContainerStatus container) {
        return container.getState() != null
                && (container.getState().getRunning() != null || container.getState().getTerminated() != null);
    }

    private static String plain(String line) {
        return line.replaceAll("\\p{Cntrl}", " ").stripTrailing();
    }

    private static final class Told {

        private final Map<String, String> times = new ConcurrentHashMap<>();
        private volatile String sentence = "";
    }
}
