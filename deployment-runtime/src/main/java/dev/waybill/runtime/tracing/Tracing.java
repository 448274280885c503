package dev.waybill.runtime.tracing;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;

import jakarta.enterprise.event.Observes;
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
 * Sends every run with its steps to a trace store, if there is one. A store that is away or slow neither slows nor fails a run;
 * what it does not get is counted and logged (docs/decisions/0042).
 */
@Singleton
public class Tracing {

    private static final Logger LOG = Logger.getLogger(Tracing.class);

    private final TracingConfig config;
    private final Clock clock;
    private final TraceQueue queue;
    private final Drops drops;
    private final Outside outside;
    private final String version;
    private final String project;
    private @Nullable Thread sender;

    /** What sending takes. */
    @Singleton
    record Outside(Vertx vertx, TrustedAuthorities authorities, MeterRegistry metrics, Telemetry telemetry) {
    }

    Tracing(TracingConfig config, Application application, Clock clock, Outside outside,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.config = config;
        this.clock = clock;
        this.outside = outside;
        this.version = version;
        this.queue = new TraceQueue(config.queue().asLongValue());
        this.drops = new Drops(outside.metrics(), clock);
        this.project = config.project().orElseGet(() -> name(application.directory()));
        config.url().ifPresent(Tracing::check);
        outside.metrics().gauge("waybill.runtime.traces.queue.bytes", queue, TraceQueue::used);
    }

    /** A run that has just been asked for. */
    public RunTrace begin(TracedRun run) {
        return isOn()
                ? new RecordedTrace(run, clock.instant(), config.traceSize().asLongValue(), queue, drops)
                : RunTrace.NONE;
    }

    private boolean isOn() {
        return config.url().isPresent();
    }

    void start(@Observes StartupEvent starting) {
        if (isOn()) {
            LOG.infof("runs are traced: session=%s", project);
            TraceStore store = new TraceStore(config, outside.vertx(), outside.authorities());
            sender = Thread.ofPlatform().daemon().name("tracing").start(new Sender(queue,
                    new RowWriter(project, version), store, drops, config, outside));
        }
    }

    /** Sends what is left, for as long as it may take; comes when no run is under way any more. */
    void stop(@Observes ShutdownEvent stopping) throws InterruptedException {
        queue.close();
        Thread thread = sender;
        if (thread != null) {
            thread.join(config.flush());
            thread.interrupt();
            thread.join(config.flush());
        }
    }

    private static void check(URI url) {
        boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!web || url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null) {
            throw new IllegalStateException("waybill.runtime.tracing.url must be an address such as http://127.0.0.1:8082, with"
                    + " its key in waybill.runtime.tracing.key");
        }
    }

    private static String name(Path directory) {
        Path name = directory.toAbsolutePath().normalize().getFileName();
        return name == null ? "default" : name.toString();
    }
}
