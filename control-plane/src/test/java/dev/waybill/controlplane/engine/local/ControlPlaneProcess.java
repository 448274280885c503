package dev.waybill.controlplane.engine.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.source.TestSourceConfig;

/** A control plane in a process of its own, which a test kills. It deploys one revision and then waits. */
final class ControlPlaneProcess implements AutoCloseable {

    private static final String OUTCOME = "outcome: ";
    private static final long POLL_MILLIS = 20;

    private final Process process;

    private ControlPlaneProcess(Process process) {
        this.process = process;
    }

    /** Starts a control plane that deploys the plan, and returns when it is deployed. */
    static ControlPlaneProcess deploy(LocalEngineFixture fixture, RevisionSpec plan, String commit) throws IOException {
        Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                ControlPlaneProcess.class.getName(), fixture.directory.toString(), plan.deploymentId().toString(),
                String.valueOf(plan.port()), commit))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ControlPlaneProcess started = new ControlPlaneProcess(process);
        String outcome = started.outcome();
        if (!outcome.contains(Outcome.Done.class.getSimpleName())) {
            started.close();
            throw new AssertionError("the application was not deployed: " + outcome);
        }
        return started;
    }

    private String outcome() throws IOException {
        BufferedReader output = process.inputReader();
        @Nullable
        String line = output.readLine();
        while (line != null && !line.startsWith(OUTCOME)) {
            line = output.readLine();
        }
        return String.valueOf(line);
    }

    /** Kills the process and waits for its end. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Main method of the process, with arguments {@code directory deployment port commit}. */
    public static void main(String[] arguments) throws InterruptedException {
        Path directory = Path.of(arguments[0]);
        RevisionSpec plan = LocalEngineFixture.plan(directory, UUID.fromString(arguments[1]), 1,
                Integer.parseInt(arguments[2]), arguments[3]);
        LocalEngine engine = new LocalEngine(LocalEngineFixture.settings(directory), TestSourceConfig.usual().repositories(),
                new Blocking(), _ -> {
                });
        Outcome outcome = engine.prepare(plan, BuildLog.NONE).await().indefinitely();
        if (outcome instanceof Outcome.Done) {
            outcome = engine.start(plan, BuildLog.NONE).await().indefinitely();
        }
        while (outcome instanceof Outcome.InProgress) {
            Thread.sleep(POLL_MILLIS);
            outcome = engine.start(plan, BuildLog.NONE).await().indefinitely();
        }
        System.out.println(OUTCOME + outcome);
        new CountDownLatch(1).await();
    }
}
