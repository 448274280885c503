package dev.waybill.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.client.ExperimentClient;
import dev.waybill.local.node.ConsoleBrowser;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.SampleExperiments;
import dev.waybill.local.tour.SourceRepository;
import dev.waybill.local.tour.TraceLoader;

/**
 * Runs the browser tests of the console (console/src/test/browser) in a real Chromium, with the data of the quickstart. Without
 * a Chromium the tests are skipped, which the last lines of {@code ./verify} report.
 */
class BrowserIT {

    private static final int TIMEOUT_MINUTES = 20;
    private static final String HOSTILE_NAME = "<img src=x onerror=\"window.hostile=7\"><script>window.hostile=8</script> \u202e";

    private static final RunningStack RUNNING = RunningStack.get();

    private static ServiceProcess console;
    private static Workspace other;

    @BeforeAll
    static void startConsole() {
        assumeTrue(ConsoleBrowser.isInstalled(), "Chromium is not installed");
        console = RUNNING.stack.add(Replica.of(ServiceKind.CONSOLE, "console-of-browser"));
        console.start();
        TraceLoader loader = new TraceLoader(RUNNING.client, RUNNING.address(ServiceKind.EXPERIMENT));
        Sample.all().forEach(sample -> loader.load(sample.runs(), Progress.NONE));
        ExperimentClient experiments = RUNNING.client.experiments(RUNNING.address(ServiceKind.EXPERIMENT));
        SampleExperiments.upload(experiments, SampleExperiments.BASELINE);
        SampleExperiments.upload(experiments, SampleExperiments.CANDIDATE);
        other = Workspace.create(HOSTILE_NAME);
        deploySample();
        console.awaitReady();
    }

    /** Deploys two revisions, as the quickstart does, and from the same repository as the tests of the quickstart. */
    private static void deploySample() {
        Map<String, byte[]> files = SourceRepository.files(StackSettings.sampleApplication(RunningStack.root()));
        for (String message : List.of("The sample application", "Another description")) {
            files.put("README.md", message.getBytes(StandardCharsets.UTF_8));
            deploy("sample-application", "sample", files, message);
        }
    }

    /** Deploys an application whose graph stores threads. */
    private static void deployApproval() {
        Map<String, byte[]> files = SourceRepository.files(
                RunningStack.root().resolve("deployment-runtime/samples/approval-js"));
        // As in the README of the samples.
        files.put(".npmrc", "legacy-peer-deps=true\n".getBytes(StandardCharsets.UTF_8));
        deploy("approval-agent", "approval", files, "The agent that asks for approval");
    }

    private static void deploy(String name, String repositoryName, Map<String, byte[]> files, String message) {
        Deployer deployer = new Deployer(RUNNING.client, RUNNING.address(ServiceKind.CONTROL_PLANE));
        Path folder = RUNNING.directory.resolve("repositories").resolve(repositoryName + ".git");
        try (SourceRepository repository = SourceRepository.in(folder)) {
            repository.commit(files, message);
            deployer.deploy(name, repository, _ -> {
            });
        }
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
    @Tag("full")
    void pagesFitEveryWidth() throws IOException, InterruptedException {
        run("screenshots.spec.ts");
    }

    @Test
    void comparisonsPass() throws IOException, InterruptedException {
        run("compare.spec.ts");
    }

    @Test
    @Tag("full")
    void viewsPass() throws IOException, InterruptedException {
        run("views.spec.ts");
    }

    @Test
    @Tag("full")
    void exportsPass() throws IOException, InterruptedException {
        run("exports.spec.ts");
        run("destinations.spec.ts");
    }

    @Test
    @Tag("full")
    void deploymentsPass() throws IOException, InterruptedException {
        run("deployments.spec.ts");
    }

    @Test
    @Tag("full")
    void chatsPass() throws IOException, InterruptedException {
        deployApproval();
        run("chat.spec.ts");
    }

    @Test
    @Tag("full")
    void failuresAreUnderstood() throws IOException, InterruptedException {
        run("failures.spec.ts");
    }

    @Test
    @Tag("full")
    void settingsPass() throws IOException, InterruptedException {
        run("settings.spec.ts");
    }

    @Test
    @Tag("full")
    void rolesAndRetentionPass() throws IOException, InterruptedException {
        run("roles.spec.ts");
    }

    @Test
    @Tag("full")
    void changesAppear() throws IOException, InterruptedException {
        run("live.spec.ts");
    }

    @Test
    @Tag("full")
    void figuresEqualCalculations() throws IOException, InterruptedException {
        run("figures.spec.ts");
    }

    @Test
    @Tag("full")
    void messagesAreConversations() throws IOException, InterruptedException {
        run("messages.spec.ts");
    }

    @Test
    @Tag("full")
    void errorsAreExplained() throws IOException, InterruptedException {
        run("states.spec.ts");
        run("loading.spec.ts");
    }

    @Test
    @Tag("full")
    void singleSignOnPasses() throws IOException, InterruptedException {
        ServiceProcess withIssuer = RUNNING.stack.add(OpenIdConnectIT.replica("console-of-browser-with-issuer"));
        Map<String, String> environment = environment(withIssuer);
        String callback = environment.get("WAYBILL_CONSOLE_URL") + OpenIdConnectIT.CALLBACK;
        environment.put("WAYBILL_ISSUER", RunningStack.ISSUER);
        withIssuer.start();
        try (Issuer _ = Issuer.start(UUID.fromString(environment.get("WAYBILL_TENANT_ID")), callback)) {
            withIssuer.awaitReady();
            run("single-sign-on.spec.ts", environment);
        } finally {
            withIssuer.stop();
        }
    }

    @Test
    @Tag("full")
    void largeAndHostileDataPass() throws IOException, InterruptedException {
        run("data.spec.ts");
        run("hostile.spec.ts");
    }

    private static void run(String file) throws IOException, InterruptedException {
        run(file, environment(console));
    }

    private static void run(String file, Map<String, String> environment) throws IOException, InterruptedException {
        new ConsoleBrowser(RunningStack.root(), ForkFolder.resolve("browser"), environment).run(file, TIMEOUT_MINUTES);
    }

    private static Map<String, String> environment(ServiceProcess process) {
        Map<String, String> variables = new TreeMap<>(ConsoleBrowser.environment(RUNNING.stack, RUNNING.client, process));
        variables.put("WAYBILL_OTHER_API_KEY", other.apiKey());
        variables.put("WAYBILL_OTHER_TENANT_ID", other.tenantId());
        return variables;
    }
}
