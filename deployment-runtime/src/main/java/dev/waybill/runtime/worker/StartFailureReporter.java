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
 * Writes to the failure file why a worker cannot start, and ends the runtime: whoever started it for one revision reads the
 * reason there (docs/worker-protocol.md). Without such a file the runtime goes on, and its workers are started again.
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

    /** @param output the last lines that the worker wrote */
    void report(StartFailure failure, List<String> output) {
        if (file.isEmpty() || !reported.compareAndSet(false, true)) {
            return;
        }
        try {
            write(file.get(), failure, output);
        } catch (IOException e) {
            LOG.errorf("the failure file cannot be written: reason=%s", e.getMessage());
        }
        LOG.errorf("the runtime ends because a worker cannot start: graph=%s", failure.graph());
        exit.run();
    }

    // The reason comes last: Kubernetes keeps only the end of a long termination message. That file is a mount, so it is
    // written in place.
    private static void write(Path file, StartFailure failure, List<String> output) throws IOException {
        List<String> lines = new ArrayList<>(output);
        lines.add(JsonNodeFactory.instance.objectNode().put("graph", failure.graph()).put("cause", failure.cause())
                .put("advice", failure.advice()).toString());
        Files.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
