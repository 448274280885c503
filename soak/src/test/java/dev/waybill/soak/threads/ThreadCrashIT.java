package dev.waybill.soak.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.RunningStack;
import dev.waybill.local.node.NodePrograms;

/**
 * Clients that talk to many threads while runtimes are killed at random. {@code -Dwaybill.chaos.seconds} changes the duration,
 * {@code -Dwaybill.chaos.threads} the number of threads, {@code -Dwaybill.chaos.seed} repeats the kills.
 */
@Tag("full")
class ThreadCrashIT {

    private static final int NODE_SECONDS = 180;
    private static final int MIN_MILLIS = 1_000;
    private static final int MAX_MILLIS = 5_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path root = RunningStack.root();
    private final Duration duration = Duration.ofSeconds(Long.getLong("waybill.chaos.seconds", 60));
    private final int threads = Integer.getInteger("waybill.chaos.threads", 20);
    private final long seed = Long.getLong("waybill.chaos.seed", System.nanoTime() % 1_000_000);

    @TempDir
    Path directory;

    @Test
    void answeredMessagesSurviveKillsOfARuntimeWithAFile() throws Exception {
        assertThatAnsweredMessagesSurvive(1, Map.of("waybill.runtime.threads.storage", "file",
                "waybill.runtime.threads.directory", directory.resolve("threads").toString()));
    }

    private void assertThatAnsweredMessagesSurvive(int count, Map<String, String> storage) throws Exception {
        System.out.println("crash: seed " + seed + ", " + duration + ", " + threads + " threads");
        try (ThreadReplicas replicas = new ThreadReplicas(count, storage, application(), directory);
                HttpClient http = HttpClient.newHttpClient()) {
            // Given
            List<Conversation> conversations = Stream.generate(() -> new Conversation(http, replicas)).limit(threads).toList();

            // When
            int kills = talkAndKill(conversations, replicas);

            // Then
            int sent = conversations.stream().mapToInt(Conversation::sent).sum();
            int answered = conversations.stream().mapToInt(Conversation::answered).sum();
            System.out.println("crash: " + kills + " kills, " + sent + " messages, " + answered + " answered");
            assertThat(kills).isPositive();
            assertThat(answered).isGreaterThan(threads);
            // Runs in the background may still continue.
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(problems(conversations)).as("seed %d", seed).isEmpty());
        }
    }

    private static List<String> problems(List<Conversation> conversations) throws InterruptedException {
        List<String> problems = new ArrayList<>();
        for (Conversation conversation : conversations) {
            Optional<String> problem = conversation.problem();
            problem.ifPresent(problems::add);
        }
        return problems;
    }

    private int talkAndKill(List<Conversation> conversations, ThreadReplicas replicas) throws Exception {
        long end = System.nanoTime() + duration.toNanos();
        Random random = new Random(seed);
        int kills = 0;
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> talking = new ArrayList<>();
            for (Conversation conversation : conversations) {
                talking.add(clients.submit(() -> talk(conversation, end)));
            }
            while (System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MIN_MILLIS, MAX_MILLIS));
                replicas.restart(random.nextInt(replicas.count()));
                kills++;
            }
            for (Future<?> conversation : talking) {
                conversation.get();
            }
        }
        return kills;
    }

    private static Void talk(Conversation conversation, long end) throws InterruptedException {
        while (System.nanoTime() < end) {
            int answered = conversation.answered();
            conversation.send();
            if (conversation.answered() == answered) {
                // The runtime starts again.
                Thread.sleep(200);
            }
        }
        return null;
    }

    /** Returns the directory of an application of LangGraph.js with its packages. */
    private Path application() throws IOException, InterruptedException {
        Path sources = root.resolve("deployment-runtime/src/test/node");
        Path work = root.resolve("soak/target/threads");
        new NodePrograms(sources, work, NODE_SECONDS).install();
        Files.copy(sources.resolve("threads/served.mjs"), work.resolve("threads.mjs"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(work.resolve("langgraph.json"), "{\"graphs\": {\"threads\": \"./threads.mjs:graph\"}}");
        return work;
    }
}
