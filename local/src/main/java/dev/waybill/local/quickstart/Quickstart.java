package dev.waybill.local.quickstart;

import java.io.Console;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.waybill.client.WaybillClients;
import dev.waybill.client.WaybillException;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.Deployer;

/** Starts a stack, runs the tour, and then stops, detaches or waits for Ctrl-C. */
public final class Quickstart {

    private final Options options;
    private final Path root;
    private final HomeDirectory home;
    private final Terminal terminal;
    private final AtomicBoolean isDetached = new AtomicBoolean();

    private Quickstart(Options options, Path root, Terminal terminal) {
        this.options = options;
        this.root = root;
        this.home = new HomeDirectory(root.resolve(".waybill"));
        this.terminal = terminal;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Console console = System.console();
        Terminal terminal = new Terminal(new PrintStream(System.out, true, StandardCharsets.UTF_8),
                console != null && console.isTerminal());
        try {
            Path root = Path.of(System.getProperty("waybill.root", "")).toAbsolutePath();
            new Quickstart(Options.parse(arguments), root, terminal).run();
        } catch (StackException e) {
            terminal.plain(String.valueOf(e.getMessage()));
            System.exit(1);
        } catch (WaybillException | IllegalStateException | UncheckedIOException e) {
            terminal.plain(String.valueOf(e.getMessage()));
            terminal.plain("The logs of the services are in .waybill/logs/");
            System.exit(1);
        }
    }

    private void run() throws InterruptedException {
        if (options.help()) {
            terminal.plain(Options.USAGE);
            return;
        }
        if (options.stop()) {
            terminal.plain(
                    Stack.stopOrphans(home) ? "Waybill is stopped; its data remains in .waybill/."
                            : "Waybill was not running.");
            return;
        }
        Stack.requireNotRunning(home);
        if (options.fresh()) {
            Stack.stopOrphans(home);
            home.delete();
        }
        start();
    }

    private void start() throws InterruptedException {
        long startNanos = System.nanoTime();
        terminal.plain("Starting PostgreSQL, S3 and the services ...");
        Stack stack = Stack.start(StackSettings.of(root, home).withConsole().withLake().detached(options.keep()));
        Thread shutdown = new Thread(() -> stop(stack));
        Runtime.getRuntime().addShutdownHook(shutdown);
        terminal.line("ready after %.1f s", seconds(startNanos));
        try (WaybillClients clients = WaybillClients.of(stack.secrets().apiKey())) {
            String workspace = String.valueOf(
                    clients.controlPlane(stack.service(ServiceKind.CONTROL_PLANE).address()).whoami().tenantId());
            EnvironmentFile.write(home, stack, workspace, null);
            HomeDirectory downloads = new HomeDirectory(home.directory().resolve("read-back"));
            downloads.delete();
            String comparison = new Tour(stack, clients, terminal, downloads.directory()).run();
            downloads.delete();
            URI deployment = deploymentTour(stack, clients).run();
            EnvironmentFile.write(home, stack, workspace, deployment);
            printSummary(stack, deployment, startNanos);
            if (!options.exit()) {
                printSignIn(stack, "/w/" + workspace + comparison);
            }
        }
        if (options.keep()) {
            isDetached.set(true);
            terminal.plain("Everything keeps running; stop it with ./quickstart --stop");
        } else if (!options.exit()) {
            terminal.plain("Everything keeps running until Ctrl-C.");
            new CountDownLatch(1).await();
        }
    }

    private DeploymentTour deploymentTour(Stack stack, WaybillClients clients) {
        return new DeploymentTour(new Deployer(clients, stack.service(ServiceKind.CONTROL_PLANE).address()),
                clients, stack.service(ServiceKind.EXPERIMENT).address(), terminal, StackSettings.sampleApplication(root),
                home.repositories());
    }

    private void stop(Stack stack) {
        if (!isDetached.get()) {
            stack.close();
        }
    }

    private void printSummary(Stack stack, URI deployment, long startNanos) {
        terminal.title("Waybill is running; start and tour took " + Duration.ofNanos(System.nanoTime() - startNanos).toSeconds()
                + " s");
        for (ServiceKind kind : ServiceKind.apis()) {
            terminal.line("%-20s %s  (API: %s/q/swagger-ui)", kind.module(), stack.service(kind).address(),
                    stack.service(kind).managementAddress());
        }
        terminal.line("%-20s %s  (sign in with WAYBILL_API_KEY)", ServiceKind.CONSOLE.module(),
                stack.service(ServiceKind.CONSOLE).address());
        terminal.line("%-20s %s", DeploymentTour.NAME, deployment);
        terminal.line("%-20s %s (bucket %s)", "S3", stack.s3().endpoint(), Stack.BUCKET);
        terminal.line("%-20s 127.0.0.1:%d", "PostgreSQL", stack.postgres().port());
        terminal.line("%-20s %s", "keys and addresses", ".waybill/env  (source it in a shell)");
        terminal.line("%-20s %s", "exported files", ".waybill/s3/" + Stack.BUCKET + "/" + Tour.PREFIX + "/");
        terminal.line("%-20s %s", "logs", ".waybill/logs/");
    }

    private void printSignIn(Stack stack, String page) {
        terminal.title("Open the comparison of step 4 in a browser; the address signs in once, within five minutes:");
        terminal.line("%s", SignInAddress.create(stack, page));
        terminal.plain("");
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
