package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;

/** A command of a customer's, run to its end within limits; nothing of it is left behind. */
final class Command {

    private static final int LONGEST_LINE = 4096;
    private static final int LAST_LINES = 20;
    private static final int LOOK_MILLIS = 200;
    private static final int DISK_EVERY = 5;
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final String text;
    private final Path folder;
    private final LocalEngineConfig config;
    private final BuildLog log;
    private final Deque<String> last = new ArrayDeque<>();
    private int lines;

    /** @param folder the revision's: its mark, and what its disk limit is about */
    Command(String text, Path folder, LocalEngineConfig config, BuildLog log) {
        this.text = text;
        this.folder = folder;
        this.config = config;
        this.log = log;
    }

    /** @throws StepFailure when it does not end well */
    void run(Launch launch, Path directory, Map<String, String> environment) throws IOException, InterruptedException {
        log.line(Phase.BUILD, Stream.SYSTEM, "$ " + text);
        List<String> words = launch.alone(List.of("sh", "-c", text), config.disk().asLongValue());
        Process process = launch.process(words, directory, environment).start();
        Thread output = read(process.getInputStream(), Stream.STDOUT);
        Thread errors = read(process.getErrorStream(), Stream.STDERR);
        try {
            watch(process);
        } finally {
            MarkedProcesses.kill(folder);
            // Those, too, that threw their mark away.
            MarkedProcesses.killGroup(process.pid());
            process.destroyForcibly();
        }
        awaitLastWords(output, errors);
        if (process.exitValue() != 0) {
            throw failure("ended with exit code " + process.exitValue() + ".");
        }
    }

    /** Whoever left its group and threw its mark away may hold the other end for ever; nobody waits for it. */
    private static void awaitLastWords(Thread output, Thread errors) throws InterruptedException {
        long end = System.nanoTime() + LAST_WORDS.toNanos();
        output.join(LAST_WORDS);
        errors.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }

    private void watch(Process process) throws InterruptedException {
        long end = System.nanoTime() + config.commandTimeout().toNanos();
        for (int look = 0; !process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS); look++) {
            if (System.nanoTime() > end) {
                throw failure("did not end within " + config.commandTimeout().toSeconds() + " s and was stopped.");
            }
            if (MarkedProcesses.of(folder).size() > config.commandProcesses()) {
                throw failure("had more than " + config.commandProcesses() + " processes at once and was stopped.");
            }
            if (look % DISK_EVERY == 0) {
                checkDisk();
            }
        }
        checkDisk();
    }

    private void checkDisk() {
        if (Places.size(folder) > config.disk().asLongValue()) {
            throw failure("wrote more than " + (config.disk().asLongValue() >> 20) + " MiB and was stopped.");
        }
    }

    /** Its output is in the log and not in the reason; of a long one the end, too. */
    private synchronized StepFailure failure(String what) {
        if (lines > config.commandLines()) {
            log.line(Phase.BUILD, Stream.SYSTEM, "The last lines were:");
            last.forEach(line -> log.line(Phase.BUILD, Stream.STDOUT, line));
        }
        return new StepFailure("The command \"" + text + "\" " + what + " Fix it and deploy again; the log has its output.");
    }

    private Thread read(InputStream in, Stream stream) {
        return Thread.ofVirtual().start(() -> {
            try (in) {
                lines(in, stream);
            } catch (IOException _) {
                // It was ended.
            }
        });
    }

    private void lines(InputStream in, Stream stream) throws IOException {
        byte[] line = new byte[LONGEST_LINE];
        byte[] buffer = new byte[8 << 10];
        int length = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    line(stream, line, length);
                    length = 0;
                } else if (length < LONGEST_LINE) {
                    line[length++] = buffer[i];
                }
            }
        }
        if (length > 0) {
            line(stream, line, length);
        }
    }

    private synchronized void line(Stream stream, byte[] bytes, int length) {
        String said = new String(bytes, 0, length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ").stripTrailing();
        last.addLast(said);
        if (last.size() > LAST_LINES) {
            last.removeFirst();
        }
        lines++;
        if (lines <= config.commandLines()) {
            log.line(Phase.BUILD, stream, said);
        } else if (lines == config.commandLines() + 1) {
            log.line(Phase.BUILD, Stream.SYSTEM, "Only the first " + config.commandLines() + " lines are kept.");
        }
    }
}
