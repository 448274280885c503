package dev.waybill.soak.deployments;

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
 * Sends each deployment at most ten runs per second, one at a time. Records runs that fail and responses of an earlier revision
 * than the previous response.
 */
public final class AvailabilityProbe implements AutoCloseable {

    private static final int PAUSE_MILLIS = 100;
    private static final Pattern ANSWER = Pattern.compile("\"answer\":(\\d+)");
    private static final String RUN = """
            {"assistant_id": "agent", "input": {}}""";

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<ProbedDeployment> probed;

    private AvailabilityProbe(List<TestDeployment> deployments, String apiKey) {
        this.probed = deployments.stream().map(deployment -> new ProbedDeployment(deployment, request(deployment, apiKey)))
                .toList();
        clock.scheduleWithFixedDelay(() -> probed.forEach(this::send), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Starts to probe healthy deployments. */
    public static AvailabilityProbe start(List<TestDeployment> deployments, String apiKey) {
        return new AvailabilityProbe(deployments, apiKey);
    }

    private static HttpRequest request(TestDeployment deployment, String apiKey) {
        return HttpRequest.newBuilder(deployment.url().resolve("/runs/wait")).timeout(Duration.ofMinutes(2))
                .header("Content-Type", "application/json").header("X-Api-Key", apiKey)
                .POST(BodyPublishers.ofString(RUN)).build();
    }

    private void send(ProbedDeployment target) {
        if (target.inFlight.compareAndSet(false, true)) {
            client.sendAsync(target.request, BodyHandlers.ofString()).whenComplete((response, failure) -> {
                check(target, response, failure);
                target.responses.incrementAndGet();
                target.inFlight.set(false);
            });
        }
    }

    private void check(ProbedDeployment target, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        if (response == null) {
            failures.add(target.deployment.url() + " " + failure);
            return;
        }
        Matcher number = ANSWER.matcher(response.body());
        if (response.statusCode() != 200 || !number.find()) {
            failures.add(target.deployment.url() + " " + response.statusCode() + " " + response.body());
            return;
        }
        int last = Integer.parseInt(number.group(1));
        if (last < target.last) {
            failures.add(target.deployment.url() + " responded with commit " + last + " after " + target.last);
        }
        target.last = last;
    }

    /** Returns the number of responses of the deployment with the fewest responses. */
    public int minResponses() {
        return probed.stream().mapToInt(target -> target.responses.get()).min().orElse(0);
    }

    /** Returns the failures. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the deployments whose last response is not of the latest commit. */
    public List<String> outdated() {
        return probed.stream().filter(target -> target.last != target.deployment.latestCommit())
                .map(target -> target.deployment.url() + " responded with commit " + target.last + ", the latest is "
                        + target.deployment.latestCommit())
                .toList();
    }

    @Override
    public void close() {
        clock.close();
        client.close();
    }

    private static final class ProbedDeployment {

        private final TestDeployment deployment;
        private final HttpRequest request;
        private final AtomicBoolean inFlight = new AtomicBoolean();
        private final AtomicInteger responses = new AtomicInteger();
        private volatile int last;

        private ProbedDeployment(TestDeployment deployment, HttpRequest request) {
            this.deployment = deployment;
            this.request = request;
        }
    }
}
