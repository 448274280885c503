package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.client.ExperimentClient;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.SampleExperiments;
import dev.waybill.local.tour.TraceLoader;

/**
 * Runs the browser tests of the console (console/src/test/browser) in a real Chromium, with the data of the quickstart. Without
 * a Chromium the tests are skipped, which the last lines of {@code ./verify} report.
 */
class BrowserIT {

    private static final List<Path> CHROMIUM = List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"),
            Path.of("/usr/bin/google-chrome"));
    private static final int TIMEOUT_MINUTES = 20;

    private static final RunningStack RUNNING = RunningStack.get();

    private static ServiceProcess console;

    @BeforeAll
    static void startConsole() {
        assumeThat(CHROMIUM).as("Chromium is not installed").anyMatch(Files::isExecutable);
        console = RUNNING.stack.add(Replica.of(ServiceKind.CONSOLE, "console-of-browser"));
        console.start();
        TraceLoader loader = new TraceLoader(RUNNING.client, RUNNING.address(ServiceKind.EXPERIMENT));
        Sample.all().forEach(sample -> loader.load(sample.runs(), Progress.NONE));
        ExperimentClient experiments = RUNNING.client.experiments(RUNNING.address(ServiceKind.EXPERIMENT));
        experiments.uploadExperiment(SampleExperiments.read(SampleExperiments.BASELINE));
        experiments.uploadExperiment(SampleExperiments.read(SampleExperiments.CANDIDATE));
        console.awaitReady();
    }

    @AfterAll
    static void stopConsole() {
        if (console != null) {
            console.stop();
        }
    }

    @Test
    void pagesPass() throws IOException, InterruptedException {
        run("pages.spec.ts");
    }

    @Test
    void pagesFitEveryWidth() throws IOException, InterruptedException {
        run("screenshots.spec.ts");
    }

    @Test
    void comparisonsPass() throws IOException, InterruptedException {
        run("compare.spec.ts");
    }

    @Test
    void changesAppear() throws IOException, InterruptedException {
        run("live.spec.ts");
    }

    @Test
    @Tag("full")
    void largeAndHostileDataPass() throws IOException, InterruptedException {
        run("data.spec.ts");
    }

    private static void run(String file) throws IOException, InterruptedException {
        Path web = RunningStack.root().resolve("console/src/main/web");
        Path output = Files.createDirectories(Path.of("target", "browser")).resolve(file + ".log");
        ProcessBuilder tests = new ProcessBuilder("npm", "run", "test:browser", "--", file).directory(web.toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile());
        tests.environment().putAll(environment());
        Process process = tests.start();
        boolean hasEnded = process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();

        assertThat(hasEnded).as("ended within %d minutes; see %s", TIMEOUT_MINUTES, output).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }

    private static Map<String, String> environment() {
        String workspace = String.valueOf(RUNNING.client.controlPlane(RUNNING.address(ServiceKind.CONTROL_PLANE)).whoami()
                .tenantId());
        return Map.of("WAYBILL_CONSOLE_URL", "http://localhost:" + console.address().getPort(),
                "WAYBILL_CONSOLE_MANAGEMENT_URL", console.managementAddress().toString(),
                "WAYBILL_CONSOLE_SIGN_IN_KEY", RUNNING.stack.secrets().signInKey(),
                "WAYBILL_CONTROL_PLANE_URL", RUNNING.address(ServiceKind.CONTROL_PLANE).toString(),
                "WAYBILL_EXPERIMENT_URL", RUNNING.address(ServiceKind.EXPERIMENT).toString(),
                "WAYBILL_API_KEY", RUNNING.stack.secrets().apiKey(),
                "WAYBILL_TENANT_ID", workspace,
                "NO_COLOR", "1");
    }
}
