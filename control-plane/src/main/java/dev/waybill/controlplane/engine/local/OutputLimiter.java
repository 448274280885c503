package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Limits the output files of running applications every second. */
final class OutputLimiter {

    private static final Logger LOG = Logger.getLogger(OutputLimiter.class);
    private static final int INTERVAL_MILLIS = 1_000;

    private final Set<Path> revisions = ConcurrentHashMap.newKeySet();
    private @Nullable Thread thread;

    /** Limits the output of the revision in that folder until the folder is removed. */
    void watch(Path revision) {
        revisions.add(revision);
    }

    /** Limits all files that are too large. */
    void limitAll() throws InterruptedException {
        for (Path revision : revisions) {
            try {
                if (Files.isDirectory(revision)) {
                    new OutputLog(revision).limit();
                } else {
                    revisions.remove(revision);
                }
            } catch (IOException e) {
                LOG.debugf(e, "the output of an application cannot be limited: folder=%s", revision);
            }
        }
    }

    synchronized void start() {
        // A platform thread, because file I/O would block the carriers of virtual threads.
        thread = Thread.ofPlatform().daemon().name("application-output").start(() -> {
            try {
                while (true) {
                    Thread.sleep(INTERVAL_MILLIS);
                    limitAll();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    synchronized void stop() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
