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

/** A process of an image's program, with the image's user and only the given environment variables. */
public final class ImageProcess implements AutoCloseable {

    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin").toString();

    private final Process process;

    private ImageProcess(Process process) {
        this.process = process;
    }

    /** Returns whether processes can run as another user on this host. */
    public static boolean canSwitchUser() {
        return "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/bin/setpriv"));
    }

    /** Starts a process as a user and group, if the host permits it. */
    public static ImageProcess start(String user, List<String> command, Path directory, Map<String, String> environment,
            Path log) {
        List<String> arguments = new ArrayList<>();
        if (canSwitchUser()) {
            String[] ids = user.split(":");
            arguments.addAll(List.of("/usr/bin/setpriv", "--reuid", ids[0], "--regid", ids[1], "--clear-groups", "--"));
        }
        arguments.addAll(command);
        return new ImageProcess(start(arguments, directory, environment, Redirect.to(log.toFile())));
    }

    /** Runs a command and waits for its successful end. */
    public static void run(List<String> command, Path directory, Map<String, String> environment) {
        try {
            Process process = start(command, directory, environment, Redirect.PIPE);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " exited with " + process.exitValue() + ": " + output);
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

    /** Stops the process with SIGTERM, as container engines do, and returns its exit code. */
    public int stop() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the process does not stop");
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
