package dev.waybill.local.soak.deployments;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Sends every deployment one run after the other, ten a second: little enough to leave the machine to what is watched. Every
 * run must be answered, and never by an older revision than the one before.
 */
public final class AvailabilityProbe implements AutoCloseable {

    private static final int PAUSE_MILLIS = 100;
    private static final Pattern ANSWER = Pattern.compile("\"answer\":(\\d+)");
    private static final String RUN = """
            {"assistant_id": "agent", "input": {}}""";

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Watched> watched;

    private AvailabilityProbe(List<TestDeployment> members, String apiKey) {
        this.watched = members.stream().map(member -> new Watched(member, request(member, apiKey))).toList();
        clock.scheduleWithFixedDelay(() -> watched.forEach(this::ask), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Of deployments that serve already. */
    public static AvailabilityProbe on(List<TestDeployment> members, String apiKey) {
        return new AvailabilityProbe(members, apiKey);
    }

    private static HttpRequest request(TestDeployment member, String apiKey) {
        return HttpRequest.newBuilder(member.url().resolve("/runs/wait")).timeout(Duration.ofMinutes(2))
                .header("Content-Type", "application/json").header("X-Api-Key", apiKey)
                .POST(BodyPublishers.ofString(RUN)).build();
    }

    private void ask(Watched one) {
        if (one.busy.compareAndSet(false, true)) {
            client.sendAsync(one.request, BodyHandlers.ofString()).whenComplete((answer, failure) -> {
                check(one, answer, failure);
                one.answered.incrementAndGet();
                one.busy.set(false);
            });
        }
    }

    private void check(Watched one, @Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
        if (answer == null) {
            failures.add(one.member.url() + " " + failure);
            return;
        }
        Matcher number = ANSWER.matcher(answer.body());
        if (answer.statusCode() != 200 || !number.find()) {
            failures.add(one.member.url() + " " + answer.statusCode() + " " + answer.body());
            return;
        }
        int last = Integer.parseInt(number.group(1));
        if (last < one.last) {
            failures.add(one.member.url() + " was answered by commit " + last + " after " + one.last);
        }
        one.last = last;
    }

    /** @return how often the deployment that was answered least was answered so far */
    public int answered() {
        return watched.stream().mapToInt(one -> one.answered.get()).min().orElse(0);
    }

    /** @return what went wrong so far */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** @return the deployments of which another than the newest commit has answered last */
    public List<String> outOfDate() {
        return watched.stream().filter(one -> one.last != one.member.newest())
                .map(one -> one.member.url() + " has answered " + one.last + " of " + one.member.newest()).toList();
    }

    @Override
    public void close() {
        clock.close();
        client.close();
    }

    private static final class Watched {

        private final TestDeployment member;
        private final HttpRequest request;
        private final AtomicBoolean busy = new AtomicBoolean();
        private final AtomicInteger answered = new AtomicInteger();
        private volatile int last;

        private Watched(TestDeployment member, HttpRequest request) {
            this.member = member;
            this.request = request;
        }
    }
}
