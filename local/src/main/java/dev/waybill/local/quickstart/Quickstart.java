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

import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.Deployer;

/** Starts everything, takes the tour, and stays, ends or leaves, as it was told. */
public final class Quickstart {

    private final Options options;
    private final Path root;
    private final HomeDirectory home;
    private final Screen screen;
    private final AtomicBoolean left = new AtomicBoolean();

    private Quickstart(Options options, Path root, Screen screen) {
        this.options = options;
        this.root = root;
        this.home = new HomeDirectory(root.resolve(".waybill"));
        this.screen = screen;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Console console = System.console();
        Screen screen = new Screen(new PrintStream(System.out, true, StandardCharsets.UTF_8),
                console != null && console.isTerminal());
        try {
            Path root = Path.of(System.getProperty("waybill.root", "")).toAbsolutePath();
            new Quickstart(Options.parse(arguments), root, screen).run();
        } catch (StackException e) {
            screen.plain(String.valueOf(e.getMessage()));
            System.exit(1);
        } catch (WaybillException | IllegalStateException | UncheckedIOException e) {
            screen.plain(String.valueOf(e.getMessage()));
            screen.plain("What the services say about it is in .waybill/logs/");
            System.exit(1);
        }
    }

    private void run() throws InterruptedException {
        if (options.help()) {
            screen.plain(Options.USAGE);
            return;
        }
        if (options.stop()) {
            screen.plain(
                    Stack.stopOrphans(home) ? "Waybill is stopped; its data stays in .waybill/." : "Nothing was running.");
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
        long began = System.nanoTime();
        screen.plain("Starting PostgreSQL, S3 and the services ...");
        Stack stack = Stack.start(StackSettings.of(root, home).detached(options.keep()));
        Thread end = new Thread(() -> end(stack));
        Runtime.getRuntime().addShutdownHook(end);
        screen.line("ready after %.1f s", seconds(began));
        try (WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            URI whoami = stack.service(ServiceKind.CONTROL_PLANE).address().resolve("/v1/whoami");
            String workspace = client.get(whoami).required("tenant_id").textValue();
            EnvironmentFile.write(home, stack, workspace, null);
            HomeDirectory readBack = new HomeDirectory(home.directory().resolve("read-back"));
            readBack.forget();
            new Tour(stack, client, screen, readBack.directory()).take();
            readBack.forget();
            URI deployment = deploymentTour(stack, client).take();
            EnvironmentFile.write(home, stack, workspace, deployment);
            sayWhereEverythingIs(stack, deployment, began);
        }
        if (options.keep()) {
            left.set(true);
            screen.plain("Everything stays up; end it with ./quickstart --stop");
        } else if (!options.exit()) {
            screen.plain("Everything stays up until Ctrl-C.");
            new CountDownLatch(1).await();
        }
    }

    private DeploymentTour deploymentTour(Stack stack, WaybillClient client) {
        return new DeploymentTour(new Deployer(client, stack.service(ServiceKind.CONTROL_PLANE).address()),
                client, stack.service(ServiceKind.EXPERIMENT).address(), screen, StackSettings.sampleApplication(root),
                home.repositories());
    }

    private void end(Stack stack) {
        if (!left.get()) {
            stack.close();
        }
    }

    private void sayWhereEverythingIs(Stack stack, URI deployment, long began) {
        screen.title("Waybill is up, all of this in " + Duration.ofNanos(System.nanoTime() - began).toSeconds() + " s");
        for (ServiceKind kind : ServiceKind.values()) {
            screen.line("%-20s %s  (description: %s/q/swagger-ui)", kind.module(), stack.service(kind).address(),
                    stack.service(kind).managementAddress());
        }
        screen.line("%-20s %s", DeploymentTour.NAME, deployment);
        screen.line("%-20s %s (bucket %s)", "S3", stack.s3().endpoint(), Stack.BUCKET);
        screen.line("%-20s 127.0.0.1:%d", "PostgreSQL", stack.postgres().port());
        screen.line("%-20s %s", "keys and addresses", ".waybill/env  (source it in a shell)");
        screen.line("%-20s %s", "exported files", ".waybill/s3/" + Stack.BUCKET + "/" + Tour.PREFIX + "/");
        screen.line("%-20s %s", "logs", ".waybill/logs/");
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
