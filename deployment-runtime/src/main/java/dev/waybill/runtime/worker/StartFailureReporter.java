package dev.waybill.runtime.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Writes the reason why a worker cannot start to the failure file, for the control plane, and exits the runtime
 * (docs/worker-protocol.md). Without a failure file, the runtime continues and restarts its workers.
 */
class StartFailureReporter {

    /** The exit code of a runtime whose worker cannot start: configuration error in sysexits.h. */
    static final int EXIT_CODE = 78;
    private static final Logger LOG = Logger.getLogger(StartFailureReporter.class);

    private final Optional<Path> file;
    private final Runnable exit;
    private final AtomicBoolean reported = new AtomicBoolean();

    StartFailureReporter(Optional<Path> file, Runnable exit) {
        this.file = file;
        this.exit = exit;
    }

    /** @param output last lines of the worker's output */
    void report(StartFailure failure, List<String> output) {
        if (file.isEmpty() || !reported.compareAndSet(false, true)) {
            return;
        }
        try {
            write(file.get(), failure, output);
        } catch (IOException e) {
            LOG.errorf("cannot write the failure file: reason=%s", e.getMessage());
        }
        LOG.errorf("exiting because a worker cannot start: graph=%s", failure.graph());
        exit.run();
    }

    // The reason is last because Kubernetes only retains the end of a long termination message. Written in place, because the
    // file is a mount that cannot be replaced.
    private static void write(Path file, StartFailure failure, List<String> output) throws IOException {
        List<String> lines = new ArrayList<>(output);
        lines.add(JsonNodeFactory.instance.objectNode().put("graph", failure.graph()).put("cause", failure.cause())
                .put("advice", failure.advice()).toString());
        Files.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
