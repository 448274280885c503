package dev.waybill.runtime.worker;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import org.jboss.logging.Logger;

import dev.waybill.runtime.protocol.LineReader;
import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageReader;
import dev.waybill.runtime.protocol.MessageWriter;

/**
 * A worker's process and its three pipes. Each pipe has a thread of its own for as long as the process lives: reading a pipe
 * blocks, and there are few of them. What is read is handed on by that thread, so nothing of it waits in memory here.
 */
final class WorkerProcess {

    private static final byte[] CLOSE = {};
    private static final int LONGEST_LOG_LINE = 8 << 10;
    private static final int LAST_LINES = 20;
    private static final int LONGEST_LAST_LINE = 500;
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

    private final String name;
    private final Logger log;
    private final Process process;
    private final BlockingQueue<byte[]> outbox = new LinkedBlockingQueue<>();
    private final Deque<String> lastLines = new ArrayDeque<>();

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.log = Logger.getLogger("dev.waybill.runtime.worker." + name);
        this.process = process;
    }

    /** Starts the process; nothing is read of it before {@link #pump}. */
    static WorkerProcess start(String name, WorkerCommand command) {
        ProcessBuilder builder = new ProcessBuilder(command.words()).directory(command.directory().toFile());
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        try {
            return new WorkerProcess(name, builder.start());
        } catch (IOException e) {
            String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
            throw new WorkerException("its program \"" + command.words().getFirst() + "\" cannot be executed: " + reason, e);
        }
    }

    /**
     * Starts to read and write.
     *
     * @param messages called for each message that it sends
     * @param caughtUp called behind those that came together
     * @param ended called once, with its exit code, after its last message
     */
    void pump(int longestLine, Consumer<Message> messages, Runnable caughtUp, IntConsumer ended) {
        thread("in", this::write);
        Thread err = thread("err", this::log);
        thread("out", () -> read(longestLine, messages, caughtUp, exit -> {
            awaitOutput(err);
            ended.accept(exit);
        }));
    }

    private Thread thread(String pipe, Runnable work) {
        return Thread.ofPlatform().daemon().name("worker-" + name + "-" + pipe).start(work);
    }

    // What it wrote before it ended belongs to the reason; a pipe that something else holds open is not waited for.
    private static void awaitOutput(Thread err) {
        try {
            err.join(LAST_OUTPUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the last lines of its output, without its messages. */
    List<String> lastLines() {
        synchronized (lastLines) {
            return List.copyOf(lastLines);
        }
    }

    private void print(String text) {
        String line = visible(text);
        log.infof("%s", line);
        synchronized (lastLines) {
            if (lastLines.size() == LAST_LINES) {
                lastLines.removeFirst();
            }
            lastLines.addLast(line.length() <= LONGEST_LAST_LINE ? line : line.substring(0, LONGEST_LAST_LINE));
        }
    }

    long pid() {
        return process.pid();
    }

    /** Puts a line into its mailbox; never waits. */
    void send(byte[] line) {
        outbox.add(line);
    }

    /** Closes its standard input, which every worker takes as the end, and kills it when it is still there after a while. */
    CompletableFuture<Void> stop(Duration patience) {
        outbox.add(MessageWriter.shutdown());
        outbox.add(CLOSE);
        return process.onExit().completeOnTimeout(process, patience.toMillis(), TimeUnit.MILLISECONDS).thenRun(this::kill);
    }

    /** Kills it and what it has started. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        outbox.add(CLOSE);
    }

    private void write() {
        try (OutputStream out = new BufferedOutputStream(process.getOutputStream(), 64 << 10)) {
            for (byte[] line = outbox.take(); line != CLOSE; line = outbox.take()) {
                out.write(line);
                if (outbox.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            log.debugf("a worker does not read any more: %s", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(int longestLine, Consumer<Message> messages, Runnable caughtUp, IntConsumer ended) {
        MessageReader reader = new MessageReader(longestLine);
        try (InputStream out = process.getInputStream()) {
            LineReader lines = new LineReader(out, longestLine, caughtUp);
            while (lines.next()) {
                Message message = lines.tooLong()
                        ? reader.readBeginning(lines.bytes(), lines.start(), lines.length(), longestLine)
                        : reader.read(lines.bytes(), lines.start(), lines.length());
                if (message instanceof Message.Print print) {
                    print(print.text());
                } else {
                    messages.accept(message);
                }
            }
        } catch (IOException e) {
            log.debugf("a worker's output ended: %s", e.getMessage());
        } catch (RuntimeException e) {
            log.error("a worker's message could not be handled", e);
        }
        kill();
        ended.accept(process.onExit().join().exitValue());
    }

    private void log() {
        try (InputStream err = process.getErrorStream()) {
            LineReader lines = new LineReader(err, LONGEST_LOG_LINE);
            while (lines.next()) {
                print(new String(lines.bytes(), lines.start(), lines.length(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            log.debugf("a worker's log ended: %s", e.getMessage());
        }
    }

    /** So that what an agent prints cannot look like lines of the runtime. */
    private static String visible(String text) {
        return text.replaceAll("\\p{Cntrl}", " ").stripTrailing();
    }
}
