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
 * A worker's process and its three pipes, each with its own thread, because reading and writing pipes blocks. Messages are
 * handled by
 * the reading thread, so that none are buffered here.
 */
final class WorkerProcess {

    private static final byte[] CLOSE = {};
    private static final int MAX_LOG_LINE = 8 << 10;
    private static final int TAIL_LINES = 20;
    private static final int MAX_TAIL_LINE = 500;
    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(1);

    private final String name;
    private final Logger log;
    private final Process process;
    private final BlockingQueue<byte[]> outbox = new LinkedBlockingQueue<>();
    private final Deque<String> logTail = new ArrayDeque<>();
    /** Used by the reading thread only. */
    private final MessageReader reader;
    private final int maxLineSize;

    private WorkerProcess(String name, Process process, int maxLineSize) {
        this.name = name;
        this.log = Logger.getLogger("dev.waybill.runtime.worker." + name);
        this.process = process;
        this.maxLineSize = maxLineSize;
        this.reader = new MessageReader(maxLineSize);
    }

    /** Starts the process; its output is not read before {@link #startThreads}. */
    static WorkerProcess start(String name, WorkerCommand command, WorkerConfig config) {
        ProcessBuilder builder = new ProcessBuilder(command.words()).directory(command.directory().toFile());
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        try {
            return new WorkerProcess(name, builder.start(), maxLineSize(config));
        } catch (IOException e) {
            String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
            throw new WorkerException("its program \"" + command.words().getFirst() + "\" cannot be executed: " + reason, e);
        }
    }

    /**
     * Starts the threads of the pipes.
     *
     * @param messages called for each message of the worker
     * @param onDrained called after all received messages were handled
     * @param ended called once, with the exit code, after the last message
     */
    void startThreads(Consumer<Message> messages, Runnable onDrained, IntConsumer ended) {
        thread("in", this::write);
        Thread err = thread("err", this::log);
        thread("out", () -> read(messages, onDrained, exit -> {
            awaitOutput(err);
            kill();
            ended.accept(exit);
        }));
    }

    /** Reads requests of the worker from its next line on; called by the receiver of messages. */
    void acceptRequests() {
        reader.acceptRequests();
    }

    private Thread thread(String pipe, Runnable work) {
        return Thread.ofPlatform().daemon().name("worker-" + name + "-" + pipe).start(work);
    }

    // The output before its end is part of the reason. Bounded, because a descendant of the process may hold the pipe open.
    private static void awaitOutput(Thread err) {
        try {
            err.join(OUTPUT_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the last lines of the worker's output, without protocol messages. */
    List<String> logTail() {
        synchronized (logTail) {
            return List.copyOf(logTail);
        }
    }

    private void print(String text) {
        String line = withoutControlCharacters(text);
        log.infof("%s", line);
        synchronized (logTail) {
            if (logTail.size() == TAIL_LINES) {
                logTail.removeFirst();
            }
            logTail.addLast(line.length() <= MAX_TAIL_LINE ? line : line.substring(0, MAX_TAIL_LINE));
        }
    }

    private static int maxLineSize(WorkerConfig config) {
        return (int) Math.min(Integer.MAX_VALUE - 16, config.maxLineSize().asLongValue());
    }

    /** Returns the maximum length of a line of the worker. */
    int maxLineSize() {
        return maxLineSize;
    }

    long pid() {
        return process.pid();
    }

    /** Queues a line for the worker; never blocks. */
    void send(byte[] line) {
        outbox.add(line);
    }

    /** Closes the standard input, which asks the worker to exit, and kills the process after the timeout. */
    CompletableFuture<Void> stop(Duration timeout) {
        outbox.add(MessageWriter.shutdown());
        outbox.add(CLOSE);
        return process.onExit().completeOnTimeout(process, timeout.toMillis(), TimeUnit.MILLISECONDS).thenRun(this::kill);
    }

    /** Kills the process and its descendants. */
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
            log.debugf("a worker closed its input: %s", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Consumer<Message> messages, Runnable onDrained, IntConsumer ended) {
        try (InputStream out = process.getInputStream()) {
            LineReader lines = new LineReader(out, maxLineSize, onDrained);
            while (lines.next()) {
                Message message = lines.tooLong()
                        ? reader.readPrefix(lines.bytes(), lines.start(), lines.length(), maxLineSize, lines.lineLength())
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
            log.error("could not handle a worker's message", e);
        }
        // Process.destroyForcibly would close the pipes and lose error output that was not read yet.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.toHandle().destroyForcibly();
        ended.accept(process.onExit().join().exitValue());
    }

    private void log() {
        try (InputStream err = process.getErrorStream()) {
            LineReader lines = new LineReader(err, MAX_LOG_LINE);
            while (lines.next()) {
                print(new String(lines.bytes(), lines.start(), lines.length(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            log.debugf("a worker's error output ended: %s", e.getMessage());
        }
    }

    /** Replaces control characters, so that a worker's output cannot forge log lines of the runtime. */
    private static String withoutControlCharacters(String text) {
        return text.replaceAll("\\p{Cntrl}", " ").stripTrailing();
    }
}
