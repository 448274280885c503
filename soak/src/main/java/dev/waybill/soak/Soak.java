package dev.waybill.soak;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.soak.deployments.DeploymentSoak;
import dev.waybill.soak.hostile.HostileSoak;
import dev.waybill.soak.streams.StreamSoak;

/** Runs {@code ./verify soak}: iterations on one stack until one fails, or one of the other soak tests. */
public final class Soak {

    private final SoakOptions options;
    private final PrintStream out;

    private Soak(SoakOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        SoakOptions options;
        try {
            options = SoakOptions.parse(arguments);
        } catch (IllegalArgumentException _) {
            out.println(SoakOptions.USAGE);
            System.exit(2);
            return;
        }
        Path root = Path.of(System.getProperty("waybill.root", "")).toAbsolutePath();
        HomeDirectory home = new HomeDirectory(root.resolve("soak/target/soak"));
        Stack.stopOrphans(home);
        home.delete();
        if (options.streams().isPositive()) {
            StreamSoak.run(root, home.directory(), options.streams(), out);
            return;
        }
        if (options.deployments() > 0) {
            DeploymentSoak.run(root, home, options.deployments(), out);
            return;
        }
        if (options.hostile() > 0) {
            HostileSoak.run(root, home, options.hostile(), out);
            return;
        }
        try (Stack stack = Stack.start(withShortTimeouts(StackSettings.of(root, home).ports(Ports.free())))) {
            new Soak(options, out).runIterations(stack);
        } catch (RuntimeException e) {
            e.printStackTrace(out);
            out.println("The services' logs are in " + home.directory().resolve("logs"));
            System.exit(1);
        }
        home.delete();
    }

    /** Runs a few iterations on a running stack. */
    public static void run(Stack stack, int iterations, long seed) {
        new Soak(new SoakOptions(iterations, seed, 0, Duration.ZERO, 0, 0), System.out).runIterations(stack);
    }

    // Shortens leases, intervals and timeouts from minutes to seconds.
    private static StackSettings withShortTimeouts(StackSettings settings) {
        return settings
                .property(ServiceKind.EXPORT, "waybill.export.execution.lease-ttl", "3s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.max-backoff", "2s")
                .property(ServiceKind.EXPORT, "waybill.export.storage.read-timeout", "2s");
    }

    private void runIterations(Stack stack) {
        out.println("soak: seed " + options.seed());
        try (SoakEnvironment environment = SoakEnvironment.create(stack)) {
            for (int i = options.first(); i < options.first() + options.iterations(); i++) {
                runIteration(environment, i);
            }
        }
    }

    private void runIteration(SoakEnvironment environment, int number) {
        long startNanos = System.nanoTime();
        try {
            String summary = new Iteration(environment, random(number)).run();
            double seconds = Duration.ofNanos(System.nanoTime() - startNanos).toMillis() / 1000.0;
            out.printf(Locale.ROOT, "soak %d: %.1f s, %s%n", number, seconds, summary);
        } catch (RuntimeException e) {
            throw new IllegalStateException("soak " + number + " failed; repeat it with --seed " + options.seed()
                    + " --first " + number + " --iterations 1: " + e.getMessage(), e);
        }
    }

    private Random random(int number) {
        // Random produces similar first values for adjacent seeds.
        return new Random(new SplittableRandom(options.seed() * 1_000_003 + number).nextLong());
    }
}
