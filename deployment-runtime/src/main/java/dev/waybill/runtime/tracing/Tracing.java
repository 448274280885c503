package dev.waybill.runtime.tracing;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.application.Application;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/**
 * Sends every run with its steps to the configured trace store. An unavailable or slow store neither delays nor fails a run;
 * dropped
 * traces are counted and logged (docs/decisions/0042).
 */
@Singleton
public class Tracing {

    private static final Logger LOG = Logger.getLogger(Tracing.class);

    private final TracingConfig config;
    private final Clock clock;
    private final TraceQueue queue;
    private final DroppedTraces dropped;
    private final Dependencies dependencies;
    private final Timeouts timeouts;
    private final String version;
    private final String project;
    private @Nullable Thread sender;

    /** Collaborators of the sender. */
    @Singleton
    record Dependencies(Vertx vertx, TrustedAuthorities authorities, MeterRegistry metrics, Telemetry telemetry) {
    }

    /**
     * Timeouts of the sender.
     *
     * @param maxBatchDelay maximum time that a trace waits for others of the same batch
     * @param retryTimeout time for which a batch is retried; then it is dropped, in case the store fails for it only
     * @param flushTimeout time for sending the remaining traces at shutdown
     */
    record Timeouts(Duration maxBatchDelay, Duration requestTimeout, Duration retryTimeout, Duration flushTimeout) {

        private static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(10),
                Duration.ofMinutes(10), Duration.ofSeconds(5));
    }

    @Inject
    Tracing(TracingConfig config, Application application, Clock clock, Dependencies dependencies,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this(config, application, clock, dependencies, version, Timeouts.DEFAULT);
    }

    Tracing(TracingConfig config, Application application, Clock clock, Dependencies dependencies, String version,
            Timeouts timeouts) {
        this.timeouts = timeouts;
        this.config = config;
        this.clock = clock;
        this.dependencies = dependencies;
        this.version = version;
        this.queue = new TraceQueue(config.maxQueueSize().asLongValue());
        this.dropped = new DroppedTraces(dependencies.metrics(), clock);
        this.project = config.project().orElseGet(() -> name(application.directory()));
        config.url().ifPresent(Tracing::check);
        dependencies.metrics().gauge("waybill.runtime.traces.queue.bytes", queue, TraceQueue::used);
    }

    /** Returns the trace of a new run. */
    public RunTrace newTrace(TracedRun run) {
        return isOn()
                ? new RecordedTrace(run, clock.instant(), config.maxTraceSize().asLongValue(), queue, dropped)
                : RunTrace.NONE;
    }

    private boolean isOn() {
        return config.url().isPresent();
    }

    void start(@Observes StartupEvent starting) {
        if (isOn()) {
            LOG.infof("tracing runs: session=%s", project);
            TraceStoreClient store = new TraceStoreClient(config, timeouts.requestTimeout(), dependencies.vertx(),
                    dependencies.authorities());
            sender = Thread.ofPlatform().daemon().name("tracing").start(new TraceSender(queue,
                    new TraceRowWriter(project, version), store, dropped, timeouts.maxBatchDelay(), timeouts.retryTimeout(),
                    dependencies));
        }
    }

    /** Sends the remaining traces until the flush timeout, after all runs have ended. */
    void stop(@Observes ShutdownEvent stopping) throws InterruptedException {
        queue.close();
        Thread thread = sender;
        if (thread != null) {
            thread.join(timeouts.flushTimeout());
            thread.interrupt();
            thread.join(timeouts.flushTimeout());
        }
    }

    private static void check(URI url) {
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null) {
            throw new IllegalStateException("waybill.runtime.tracing.url must be a URL such as http://127.0.0.1:8082; set"
                    + " its key in waybill.runtime.tracing.key");
        }
    }

    private static String name(Path directory) {
        Path name = directory.toAbsolutePath().normalize().getFileName();
        return name == null ? "default" : name.toString();
    }
}
