package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.TestSourceConfig;
import io.quarkus.runtime.configuration.MemorySize;

/** A folder with a repository and an engine; a second engine on it simulates a restart of the control plane. */
public final class LocalEngineFixture implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final long POLL_NANOS = 20_000_000;
    private static final String RUNTIME = "fake-runtime.jar";
    static final UUID TENANT = UUID.fromString("0198c1a2-0000-7000-8000-00000000000b");

    final Path directory;
    public final TestRepository repository;
    final Settings settings;
    final List<String> log = new CopyOnWriteArrayList<>();
    final List<ApplicationChanged> changes = new CopyOnWriteArrayList<>();
    private final List<LocalEngine> engines = new CopyOnWriteArrayList<>();
    final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BuildLog buildLog = (phase, stream, text) -> log.add(phase + " " + stream + " " + text);

    public LocalEngineFixture(Path directory) throws IOException {
        writeRuntime(directory.resolve(RUNTIME));
        this.directory = directory;
        this.settings = settings(directory);
        this.repository = TestRepository.in(directory.resolve("repository.git"))
                .file("langgraph.json", "{\"graphs\": {\"agent\": {\"command\": [\"java\", \"Agent.java\"]}}}")
                .file("behaviour", "well");
    }

    /** Returns the settings of engines on the folder of a fixture. */
    static Settings settings(Path directory) {
        return new Settings(Optional.of(directory.resolve(RUNTIME)), directory.resolve("applications"));
    }

    public LocalEngine engine() {
        return engine(settings, changes::add);
    }

    /** Returns an engine that reports changes to the listener. */
    public LocalEngine engine(Consumer<ApplicationChanged> listener) {
        return engine(settings, listener::accept);
    }

    /** Sets the health timeout, also for applications that are already starting. */
    public void setHealthTimeout(Duration time) {
        settings.healthTimeout = time;
    }

    LocalEngine engineWithoutRuntime() {
        return engine(new Settings(Optional.empty(), settings.directory()), changes::add);
    }

    private LocalEngine engine(Settings settled, Consumer<ApplicationChanged> listener) {
        LocalEngine engine = new LocalEngine(settled, TestSourceConfig.usual().repositories(), new Blocking(), listener);
        engines.add(engine);
        return engine;
    }

    RevisionSpec plan(UUID deployment, long number, int port, String commit) {
        return plan(directory, deployment, number, port, commit);
    }

    RevisionSpec plan(UUID deployment, long number, int port, String commit, String path, @Nullable String install,
            Map<String, String> environment) {
        return plan(directory, deployment, number, port, commit, path, install, environment);
    }

    /** Returns a plan with the repository of the folder's fixture. */
    static RevisionSpec plan(Path directory, UUID deployment, long number, int port, String commit) {
        return plan(directory, deployment, number, port, commit, "langgraph.json", null, Map.of("SECRET", "hush-hush"));
    }

    private static RevisionSpec plan(Path directory, UUID deployment, long number, int port, String commit, String path,
            @Nullable String install, Map<String, String> environment) {
        UUID revision = new UUID(deployment.getMostSignificantBits(), number);
        return new RevisionSpec(TENANT, deployment, revision, number, "agent",
                new Commit("file://" + directory.resolve("repository.git"), commit, path, null, install, null), environment,
                new ResourceSpec(null, null, null, null, null, null), port, URI.create("http://127.0.0.1:" + port));
    }

    /** Returns the plan with other resources. */
    static RevisionSpec withResources(RevisionSpec plan, ResourceSpec resources) {
        return new RevisionSpec(plan.tenantId(), plan.deploymentId(), plan.revisionId(), plan.number(), plan.name(),
                plan.source(),
                plan.environment(), resources, plan.port(), plan.url());
    }

    Outcome prepare(LocalEngine engine, RevisionSpec plan) {
        return engine.prepare(plan, buildLog).await().atMost(TIMEOUT);
    }

    Outcome start(LocalEngine engine, RevisionSpec plan) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        Outcome outcome = startOnce(engine, plan);
        while (outcome instanceof Outcome.InProgress && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
            outcome = startOnce(engine, plan);
        }
        return outcome;
    }

    /** Calls start once, without waiting for health. */
    Outcome startOnce(LocalEngine engine, RevisionSpec plan) {
        return engine.start(plan, buildLog).await().atMost(TIMEOUT);
    }

    Observation observe(LocalEngine engine, RevisionSpec plan) {
        return engine.observe(plan).await().atMost(TIMEOUT);
    }

    void stop(LocalEngine engine, UUID deployment, UUID... keep) {
        stopAsOf(Engine.MAX_REVISION_NUMBER, engine, deployment, keep);
    }

    /** Stops as a caller that knows revisions up to {@code newest}. */
    void stopAsOf(long newest, LocalEngine engine, UUID deployment, UUID... keep) {
        engine.stop(TENANT, deployment, Set.of(keep), newest).await().atMost(TIMEOUT);
    }

    public HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(TIMEOUT).build(),
                BodyHandlers.ofString());
    }

    public Path deployment(UUID id) {
        return settings.directory().resolve(id.toString());
    }

    Path folder(RevisionSpec plan) {
        return deployment(plan.deploymentId()).resolve(plan.revisionId().toString());
    }

    /** Returns the folder of the plan's build. */
    public Path build(RevisionSpec plan) {
        return BuildCache.of(folder(plan).resolveSibling(""), plan, (Commit) plan.source());
    }

    /** Returns the processes of the revision and of its build. */
    List<ProcessHandle> processes(RevisionSpec plan) {
        return Stream.concat(ProcessFinder.of(folder(plan)).stream(), ProcessFinder.of(build(plan)).stream()).toList();
    }

    /** Returns the processes of the reverse proxy. */
    public List<ProcessHandle> proxies() {
        return ProcessFinder.of(settings.directory().resolve("gate"));
    }

    @Override
    public void close() {
        engines.forEach(LocalEngine::detach);
        ProcessFinder.kill(settings.directory());
        repository.close();
        client.close();
    }

    private static void writeRuntime(Path file) throws IOException {
        String name = FakeRuntime.class.getName().replace('.', '/') + ".class";
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FakeRuntime.class.getName());
        try (InputStream bytes = FakeRuntime.class.getClassLoader().getResourceAsStream(name);
                OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            jar.putNextEntry(new JarEntry(name));
            bytes.transferTo(jar);
        }
    }

    /** The engine's configuration, mutable for tests. */
    static final class Settings implements LocalEngineConfig {

        private final Optional<Path> runtime;
        private final Path directory;
        volatile Duration healthTimeout = TIMEOUT;
        Duration commandTimeout = TIMEOUT;
        Duration terminationTimeout = TIMEOUT;
        Duration drainTimeout = TIMEOUT;
        long maxDisk = 1L << 30;
        int maxStarting = 64;

        Settings(Optional<Path> runtime, Path directory) {
            this.runtime = runtime;
            this.directory = directory;
        }

        @Override
        public Optional<Path> runtime() {
            return runtime;
        }

        @Override
        public Path directory() {
            return directory;
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public Map<String, String> settings() {
            return Map.of("waybill.runtime.access.control-plane-url", "http://127.0.0.1:1");
        }

        @Override
        public MemorySize maxHeap() {
            return size(64L << 20);
        }

        @Override
        public Duration healthTimeout() {
            return healthTimeout;
        }

        @Override
        public int maxStartingPerWorkspace() {
            return maxStarting;
        }

        @Override
        public Duration drainTimeout() {
            return drainTimeout;
        }

        @Override
        public Duration terminationTimeout() {
            return terminationTimeout;
        }

        @Override
        public Duration commandTimeout() {
            return commandTimeout;
        }

        @Override
        public MemorySize maxDisk() {
            return size(maxDisk);
        }

        @Override
        public List<String> inheritedVariables() {
            return List.of("PATH");
        }

        @Override
        public boolean stopOnShutdown() {
            return false;
        }

        private static MemorySize size(long bytes) {
            return new MemorySize(BigInteger.valueOf(bytes));
        }
    }
}
