package dev.waybill.soak.threads;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

/** Sends messages to one thread, one after the other, and remembers which were answered. */
final class Conversation {

    private final ThreadClient client;
    private final List<String> answered = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    private int sent;

    Conversation(HttpClient http, ThreadReplicas replicas) {
        this.client = new ThreadClient(http, replicas, UUID.randomUUID().toString());
    }

    /** Sends the next message and waits for its answer; a message without an answer is not sent again. */
    void send() throws InterruptedException {
        String content = "m" + sent++;
        boolean background = sent % 3 == 0;
        Optional<JsonNode> values = background ? client.join(content) : client.await(content);
        if (values.isEmpty()) {
            return;
        }
        answered.add(content);
        List<String> contents = contents(values.get());
        // The values of a joined run are those of the thread.
        if (!contents.containsAll(answered)) {
            lost.add(content + ": " + contents);
        }
    }

    int answered() {
        return answered.size();
    }

    int sent() {
        return sent;
    }

    /** Returns the errors of the thread; empty if it contains every answered message exactly once, in order. */
    Optional<String> problem() throws InterruptedException {
        if (!lost.isEmpty()) {
            return Optional.of("answered messages were missing in later values: " + lost);
        }
        Optional<JsonNode> thread = client.thread();
        if (thread.isEmpty()) {
            return answered.isEmpty() ? Optional.empty() : Optional.of("the thread is missing");
        }
        String status = thread.get().path("status").asText();
        if (!status.equals("idle") && !status.equals("error")) {
            return Optional.of("the thread is " + status);
        }
        Optional<JsonNode> history = client.history();
        if (history.isEmpty()) {
            return Optional.of("the history cannot be read");
        }
        List<String> contents = contents(history.get().path(0).path("values"));
        return problem(contents).map(text -> text + "; answered " + answered + ", stored " + contents);
    }

    private Optional<String> problem(List<String> contents) {
        List<String> questions = contents.stream().filter(content -> content.startsWith("m")).toList();
        if (questions.size() != questions.stream().distinct().count()) {
            return Optional.of("a message is stored twice");
        }
        if (!questions.stream().filter(answered::contains).toList().equals(answered)) {
            return Optional.of("answered messages are missing or not in order");
        }
        if (!questions.stream().sorted((a, b) -> Integer.compare(number(a), number(b))).toList().equals(questions)) {
            return Optional.of("messages are not in order");
        }
        // An answer is "position: question".
        for (String content : answered) {
            long answers = contents.stream().filter(other -> other.endsWith(": " + content)).count();
            if (answers != 1) {
                return Optional.of(content + " has " + answers + " answers");
            }
        }
        return Optional.empty();
    }

    private static int number(String content) {
        return Integer.parseInt(content.substring(1));
    }

    private static List<String> contents(JsonNode values) {
        Stream<JsonNode> messages = values.path("messages").valueStream();
        return messages.map(message -> message.path("content").asText()).toList();
    }
}
