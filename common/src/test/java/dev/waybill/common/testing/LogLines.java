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

/** Everything that is logged while it listens, at every level; tests look in it for secrets. */
public final class LogLines extends Handler implements AutoCloseable {

    private static final Logger ROOT = Logger.getLogger("");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Level before = ROOT.getLevel();
    private final Map<Handler, Level> others = new HashMap<>();

    private LogLines() {
    }

    /** Listens until it is closed. */
    public static LogLines listen() {
        LogLines log = new LogLines();
        log.setLevel(Level.ALL);
        log.setFormatter(new SimpleFormatter());
        // What only this is to see would fill the console.
        for (Handler other : ROOT.getHandlers()) {
            log.others.put(other, other.getLevel());
            other.setLevel(Level.INFO);
        }
        ROOT.addHandler(log);
        ROOT.setLevel(Level.FINE);
        return log;
    }

    /** What was logged so far, a formatted text a line. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        // The test's own client and servers log what they send and get.
        String logger = String.valueOf(line.getLoggerName());
        if (!logger.startsWith("org.apache.http") && !logger.startsWith("com.sun.net.httpserver")) {
            lines.add(getFormatter().format(line));
        }
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        ROOT.setLevel(before);
        ROOT.removeHandler(this);
        others.forEach(Handler::setLevel);
    }
}
