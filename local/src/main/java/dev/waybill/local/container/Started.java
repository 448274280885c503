package dev.waybill.local.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of an image, as the image's user, and with no environment but what it is given. */
public final class Started implements AutoCloseable {

    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin").toString();

    private final Process process;

    private Started(Process process) {
        this.process = process;
    }

    /** Whether this machine lets us be somebody else. */
    public static boolean canBeAnother() {
        return "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/bin/setpriv"));
    }

    /** Starts it as this user and group. */
    public static Started as(String user, List<String> command, Path directory, Map<String, String> environment, Path log) {
        List<String> words = new ArrayList<>();
        if (canBeAnother()) {
            String[] ids = user.split(":");
            words.addAll(List.of("/usr/bin/setpriv", "--reuid", ids[0], "--regid", ids[1], "--clear-groups", "--"));
        }
        words.addAll(command);
        return new Started(start(words, directory, environment, Redirect.to(log.toFile())));
    }

    /** Runs it to its end. */
    public static void run(List<String> command, Path directory, Map<String, String> environment) {
        try {
            Process process = start(command, directory, environment, Redirect.PIPE);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " ended with " + process.exitValue() + ": " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** @return what it ended with after it was asked to end, as a container engine asks */
    public int end() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static Process start(List<String> command, Path directory, Map<String, String> environment, Redirect output) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().clear();
        builder.environment().put("PATH", JAVA + ":/usr/local/bin:/usr/bin:/bin");
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
