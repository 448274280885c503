package dev.waybill.controlplane.engine.local;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

import dev.waybill.controlplane.engine.LineReader;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;

/**
 * The output of an application's processes: the file to which the process appends, and an earlier one. Positions count the
 * bytes since the first start of the revision. The application can write all files, so links are not followed.
 */
final class OutputLog {

    /** Maximum size of each of the two files. */
    static final long MAX_BYTES = 8L << 20;
    /** Maximum part of the log that is searched for its newest lines if all lines are selected. */
    private static final long TAIL_BYTES = 1L << 20;
    private static final int MAX_ATTEMPTS = 25;
    private static final int RETRY_MILLIS = 20;

    private final Path folder;
    private final Path file;
    private final Path earlier;

    OutputLog(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("output.log");
        this.earlier = folder.resolve("output.log.1");
    }

    /** Returns the file to which the process appends. */
    Path file() {
        return file;
    }

    /** Prepares the file for a new process; the output of earlier processes is retained. */
    void begin() throws IOException, InterruptedException {
        locked(() -> {
            if (state().isRotating) {
                rotate();
            }
            if (!isFile(file)) {
                Files.deleteIfExists(file);
            }
            State state = state();
            write(new State(state.first, state.current, state.removedLines, state.current + size(file), state.starts + 1,
                    false));
            return true;
        });
    }

    /** Returns the offset in the file at which the output of the current process begins. */
    long processOffset() throws IOException {
        State state = state();
        return Math.max(0, state.process - state.current);
    }

    /** Returns the number of processes that were started. */
    long starts() throws IOException {
        return state().starts;
    }

    /** Moves the newest part of a large file to the earlier one, and removes the rest. */
    void limit() throws IOException, InterruptedException {
        if (size(file) > MAX_BYTES || state().isRotating) {
            locked(() -> {
                if (size(file) > MAX_BYTES || state().isRotating) {
                    rotate();
                }
                return true;
            });
        }
    }

    /** Rotates the files, or completes the rotation during which a control plane crashed. */
    private void rotate() throws IOException {
        Path copy = folder.resolve("output.log.new");
        State state = state();
        if (!state.isRotating || !isTruncated(state, copy)) {
            if (!isFile(copy)) {
                Files.deleteIfExists(copy);
            }
            // The copy exists until it becomes the earlier file: a rotation in progress without one was truncated.
            try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
                    FileChannel to = FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                state = state.isRotating && state.first >= state.current ? state : plan(state, from);
                // The process may append while its output is copied.
                long copied = state.first - state.current;
                for (long size = from.size(); copied < size; size = from.size()) {
                    copied += from.transferTo(copied, size - copied, to);
                }
                from.truncate(0);
            }
        }
        if (isFile(copy)) {
            Files.move(copy, earlier, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
        long first = Math.max(state.first, state.current);
        write(new State(first, first + size(earlier), state.removedLines, state.process, state.starts, false));
    }

    /** Returns whether an interrupted rotation had truncated the file already, which then differs from the copy. */
    private boolean isTruncated(State state, Path copy) throws IOException {
        // Only large files are rotated.
        if (size(file) <= MAX_BYTES || !isFile(copy)) {
            return true;
        }
        try (InputStream copied = open(copy, 0); InputStream original = open(file, Math.max(0, state.first - state.current))) {
            for (byte[] part = copied.readNBytes(1 << 16); part.length > 0; part = copied.readNBytes(1 << 16)) {
                if (!Arrays.equals(part, original.readNBytes(part.length))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Stores which part of the file will be the earlier one, so that a rotation can be completed after a crash. */
    private State plan(State state, FileChannel content) throws IOException {
        long start = lineStart(content, Math.max(0, content.size() - MAX_BYTES));
        long removed = lines(earlier, Long.MAX_VALUE) + lines(file, start);
        State plan = new State(state.current + start, state.current, state.removedLines + removed, state.process, state.starts,
                true);
        write(plan);
        return plan;
    }

    private static long lineStart(FileChannel file, long offset) throws IOException {
        if (offset == 0) {
            return 0;
        }
        InputStream in = new BufferedInputStream(Channels.newInputStream(file.position(offset)));
        long start = offset;
        for (int next = in.read(); next >= 0; next = in.read()) {
            start++;
            if (next == '\n') {
                return start;
            }
        }
        return start;
    }

    private static long lines(Path file, long maxBytes) throws IOException {
        long lines = 0;
        if (!isFile(file)) {
            return lines;
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] buffer = new byte[1 << 16];
            long remaining = maxBytes;
            for (int count = in.read(buffer); count >= 0 && remaining > 0; count = in.read(buffer)) {
                for (int i = 0; i < Math.min(count, remaining); i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
                remaining -= count;
            }
        }
        return lines;
    }

    /** Reads the selected lines. Takes no lock; a part that was rotated meanwhile is read again. */
    ServerLog read(ServerLogQuery query, Redaction redaction) throws IOException, InterruptedException {
        for (int attempt = 1;; attempt++) {
            State before = state();
            boolean isLast = attempt == MAX_ATTEMPTS;
            if (!before.isRotating || isLast) {
                Optional<ServerLog> log = tryRead(before, query, redaction);
                if (log.isPresent() && (isLast || before.equals(state()))) {
                    return log.get();
                }
            }
            if (isLast) {
                return ServerLog.empty(before.current);
            }
            Thread.sleep(RETRY_MILLIS);
        }
    }

    private Optional<ServerLog> tryRead(State state, ServerLogQuery query, Redaction redaction) throws IOException {
        if (!isFile(file)) {
            return Optional.of(ServerLog.empty(query.position() == null ? state.current : query.position()));
        }
        long end = state.current + size(file);
        Long requested = query.position();
        boolean isKnown = requested != null && requested >= state.first && requested <= end;
        long start = requested != null ? isKnown ? requested : state.first
                : query.selectsAll() ? Math.max(state.first, end - TAIL_BYTES) : state.first;
        // Any position can be requested. A line that is read from its middle could begin with a part of a secret, so reading
        // begins at the byte before, and continues after the end of its line.
        long beginning = Math.max(state.first, start - 1);
        ServerLog.Collector lines = new ServerLog.Collector(query, redaction, null, created());
        long[] next = { start };
        boolean[] skips = { beginning < start };
        try (InputStream in = open(state, beginning)) {
            LineReader.read(in, (line, isCut, read) -> {
                next[0] = beginning + read;
                if (skips[0]) {
                    skips[0] = false;
                    return true;
                }
                return lines.add(null, line, isCut, next[0]);
            });
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        return Optional.of(lines.toLog(requested == null || isKnown ? 0 : state.removedLines, next[0]));
    }

    private InputStream open(State state, long start) throws IOException {
        if (start >= state.current) {
            return open(file, start - state.current);
        }
        InputStream first = open(earlier, start - state.first);
        try {
            return new SequenceInputStream(first, open(file, 0));
        } catch (IOException e) {
            first.close();
            throw e;
        }
    }

    private static InputStream open(Path file, long offset) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            return Channels.newInputStream(channel.position(offset));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private Instant created() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).creationTime().toInstant();
    }

    private <T> T locked(InterProcessLock.Action<T> work) throws IOException, InterruptedException {
        return InterProcessLock.withLock(folder.resolve("output.lock"), work);
    }

    private Path stateFile() {
        return folder.resolve("output.state");
    }

    private State state() throws IOException {
        return EnginePaths.read(stateFile()).flatMap(State::parse).orElse(State.EMPTY);
    }

    private void write(State state) throws IOException {
        EnginePaths.write(stateFile(), state.toText());
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static long size(Path file) throws IOException {
        return isFile(file) ? Files.size(file) : 0;
    }

    /**
     * The content of the state file.
     *
     * @param first position of the earlier file's first byte, also that of the rotation in progress
     * @param current position of the current file's first byte
     * @param removedLines number of lines before {@code first}
     * @param process position at which the output of the current process begins
     * @param starts number of processes
     * @param isRotating whether the files are being changed, or a control plane crashed meanwhile
     */
    private record State(long first, long current, long removedLines, long process, long starts, boolean isRotating) {

        private static final State EMPTY = new State(0, 0, 0, 0, 0, false);
        private static final int FIELDS = 6;

        static Optional<State> parse(String text) {
            String[] fields = text.split(" ");
            if (fields.length != FIELDS || !text.matches("([0-9]{1,18} ){5}(true|false)")) {
                return Optional.empty();
            }
            return Optional.of(new State(Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]),
                    Long.parseLong(fields[3]), Long.parseLong(fields[4]), Boolean.parseBoolean(fields[5])));
        }

        String toText() {
            return first + " " + current + " " + removedLines + " " + process + " " + starts + " " + isRotating;
        }
    }
}
