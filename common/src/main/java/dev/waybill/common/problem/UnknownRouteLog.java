package dev.waybill.common.problem;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

/** Logs requests that no operation matches, up to a maximum per minute, so that operators can find clients with a wrong URL. */
@Singleton
class UnknownRouteLog {

    private static final Logger LOG = Logger.getLogger(UnknownRouteLog.class);
    private static final int MAX_PER_MINUTE = 60;
    private static final int MAX_LENGTH = 200;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private long windowStart;
    private int inWindow;

    @Inject
    UnknownRouteLog() {
        this(System::nanoTime);
    }

    UnknownRouteLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.windowStart = nanoTime.getAsLong();
    }

    void log(int status, String method, String path) {
        int suppressed = suppressedBefore();
        if (suppressed > 0) {
            LOG.infof("requests for unknown paths were not logged: count=%s", suppressed);
        }
        if (suppressed >= 0) {
            LOG.infof("no operation matches: status=%s method=%s path=%s", status, printable(method), printable(path));
        }
    }

    /** Returns the number of lines suppressed in the minute that just ended, or -1 if the current line must be suppressed. */
    private synchronized int suppressedBefore() {
        long now = nanoTime.getAsLong();
        int suppressed = 0;
        if (now - windowStart >= MINUTE) {
            suppressed = Math.max(0, inWindow - MAX_PER_MINUTE);
            windowStart = now;
            inWindow = 0;
        }
        inWindow++;
        return inWindow > MAX_PER_MINUTE ? -1 : suppressed;
    }

    /** Replaces line ends and other characters that could forge a log line or a field. */
    private static String printable(String text) {
        String cut = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
        return cut.replaceAll("[^!-~]", "?");
    }
}
