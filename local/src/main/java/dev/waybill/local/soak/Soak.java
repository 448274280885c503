package dev.waybill.local.soak;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

import dev.waybill.local.soak.deployments.DeploymentSoak;
import dev.waybill.local.soak.hostile.HostileSoak;
import dev.waybill.local.soak.streams.StreamSoak;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** Runs iterations on one stack until one breaks a promise. */
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
        HomeDirectory home = new HomeDirectory(root.resolve("local/target/soak"));
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
        try (Stack stack = Stack.start(hasty(StackSettings.of(root, home).ports(Ports.free())))) {
            new Soak(options, out).on(stack);
        } catch (RuntimeException e) {
            e.printStackTrace(out);
            out.println("The services' words are in " + home.directory().resolve("logs"));
            System.exit(1);
        }
        home.delete();
    }

    /** A short one on a stack that runs already. */
    public static void some(Stack stack, int iterations, long seed) {
        new Soak(new SoakOptions(iterations, seed, 0, Duration.ZERO, 0, 0), System.out).on(stack);
    }

    // What a production service does in minutes happens here in seconds.
    private static StackSettings hasty(StackSettings settings) {
        return settings
                .property(ServiceKind.EXPORT, "waybill.export.execution.lease", "3s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.heartbeat", "700ms")
                .property(ServiceKind.EXPORT, "waybill.export.execution.sweep-every", "1s")
                .property(ServiceKind.EXPORT, "waybill.export.execution.first-pause", "300ms")
                .property(ServiceKind.EXPORT, "waybill.export.execution.longest-pause", "2s")
                .property(ServiceKind.EXPORT, "waybill.export.storage.read-timeout", "3s")
                .property(ServiceKind.EXPORT, "waybill.export.storage.attempt-timeout", "4s")
                .property(ServiceKind.EXPORT, "waybill.export.storage.call-timeout", "10s");
    }

    private void on(Stack stack) {
        out.println("soak: seed " + options.seed());
        try (SoakEnvironment ground = SoakEnvironment.on(stack)) {
            for (int i = options.first(); i < options.first() + options.iterations(); i++) {
                iterate(ground, i);
            }
        }
    }

    private void iterate(SoakEnvironment ground, int number) {
        long began = System.nanoTime();
        try {
            String story = new Iteration(ground, random(number)).run();
            double seconds = Duration.ofNanos(System.nanoTime() - began).toMillis() / 1000.0;
            out.printf(Locale.ROOT, "soak %d: %.1f s, %s%n", number, seconds, story);
        } catch (RuntimeException e) {
            throw new IllegalStateException("soak " + number + " broke a promise; repeat with --seed " + options.seed()
                    + " --first " + number + " --iterations 1: " + e.getMessage(), e);
        }
    }

    private Random random(int number) {
        // Seeds that lie side by side make Random begin alike.
        return new Random(new SplittableRandom(options.seed() * 1_000_003 + number).nextLong());
    }
}
