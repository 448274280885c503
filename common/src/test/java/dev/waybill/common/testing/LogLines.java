package dev.waybill.common.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Captures all log lines of every level until it is closed; tests search them for secrets. */
public final class LogLines extends Handler implements AutoCloseable {

    private static final Logger ROOT = Logger.getLogger("");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Level before = ROOT.getLevel();
    private final Map<Handler, Level> otherHandlers = new HashMap<>();

    private LogLines() {
    }

    /** Starts capturing. */
    public static LogLines listen() {
        LogLines log = new LogLines();
        log.setLevel(Level.ALL);
        log.setFormatter(new SimpleFormatter());
        // Other handlers keep their level, so that the console is not flooded.
        for (Handler other : ROOT.getHandlers()) {
            log.otherHandlers.put(other, other.getLevel());
            other.setLevel(Level.INFO);
        }
        ROOT.addHandler(log);
        ROOT.setLevel(Level.FINE);
        return log;
    }

    /** Returns the formatted messages so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        // Excludes the messages of the test's own client and servers.
        String logger = String.valueOf(line.getLoggerName());
        if (!logger.startsWith("org.apache.http") && !logger.startsWith("com.sun.net.httpserver")) {
            lines.add(getFormatter().format(line));
        }
    }

    @Override
    public void flush() {
        // Not buffered.
    }

    @Override
    public void close() {
        ROOT.setLevel(before);
        ROOT.removeHandler(this);
        otherHandlers.forEach(Handler::setLevel);
    }
}
