package dev.waybill.common.problem;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

/** Logs requests that no operation matches, a bounded number a minute: whoever has an address wrong finds it there. */
@Singleton
class UnknownRoutes {

    private static final Logger LOG = Logger.getLogger(UnknownRoutes.class);
    private static final int MAX_PER_MINUTE = 60;
    private static final int MAX_LENGTH = 200;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private long windowStart;
    private int inWindow;

    @Inject
    UnknownRoutes() {
        this(System::nanoTime);
    }

    UnknownRoutes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.windowStart = nanoTime.getAsLong();
    }

    void log(int status, String method, String path) {
        int suppressed = take();
        if (suppressed > 0) {
            LOG.infof("requests for unknown addresses were not logged: count=%d", suppressed);
        }
        if (suppressed >= 0) {
            LOG.infof("no operation matches: status=%d method=%s path=%s", status, printable(method), printable(path));
        }
    }

    /** Returns how many were suppressed in the minute that has just ended; -1 where this one is to be suppressed. */
    private synchronized int take() {
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

    /** Without line ends and other characters that could forge a line or a field of one. */
    private static String printable(String text) {
        String cut = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
        return cut.replaceAll("[^!-~]", "?");
    }
}
