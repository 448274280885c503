package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Runs a command as the first of its own processes (a process namespace of Linux): it sees no others, and all that it started
 * ends with it, wherever that went and whatever it calls itself. Not every machine lets that be done without rights, so it is
 * tried once.
 */
final class OwnProcesses {

    private static final List<String> UNSHARE = List.of("unshare", "--user", "--map-current-user", "--pid", "--fork",
            "--kill-child", "--mount-proc", "--");
    /** It takes moments; what is found out holds for as long as the control plane runs. */
    private static final int MOST_SECONDS = 60;

    private final Map<String, String> environment;
    private @Nullable Boolean possible;

    OwnProcesses(Map<String, String> environment) {
        this.environment = environment;
    }

    List<String> of(List<String> command) throws InterruptedException {
        if (!arePossible()) {
            return command;
        }
        List<String> words = new ArrayList<>(UNSHARE);
        words.addAll(command);
        return words;
    }

    /** @throws InterruptedException when nobody waits any more, which says nothing of the machine */
    synchronized boolean arePossible() throws InterruptedException {
        if (possible == null) {
            possible = succeeds();
        }
        return possible;
    }

    private boolean succeeds() throws InterruptedException {
        List<String> words = new ArrayList<>(UNSHARE);
        words.add("true");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process tried = builder.start();
            try {
                return tried.waitFor(MOST_SECONDS, TimeUnit.SECONDS) && tried.exitValue() == 0;
            } finally {
                tried.destroyForcibly();
            }
        } catch (IOException _) {
            // There is no such program.
            return false;
        }
    }
}
