package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Runs a command in a Linux pid namespace: it sees no other processes, and all of its processes end with it. Not every machine
 * allows unprivileged namespaces, so support is probed once.
 */
final class PidNamespace {

    private static final List<String> UNSHARE = List.of("unshare", "--user", "--map-current-user", "--pid", "--fork",
            "--kill-child", "--mount-proc", "--");
    /** Timeout of the probe, whose result is cached. */
    private static final int TIMEOUT_SECONDS = 60;

    private final Map<String, String> environment;
    private @Nullable Boolean supported;

    PidNamespace(Map<String, String> environment) {
        this.environment = environment;
    }

    List<String> of(List<String> command) throws InterruptedException {
        if (!isSupported()) {
            return command;
        }
        List<String> arguments = new ArrayList<>(UNSHARE);
        arguments.addAll(command);
        return arguments;
    }

    /** @throws InterruptedException if the caller was cancelled; the result is then not cached */
    synchronized boolean isSupported() throws InterruptedException {
        if (supported == null) {
            supported = probe();
        }
        return supported;
    }

    private boolean probe() throws InterruptedException {
        List<String> arguments = new ArrayList<>(UNSHARE);
        arguments.add("true");
        ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            try {
                return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            // The program unshare is missing.
            return false;
        }
    }
}
