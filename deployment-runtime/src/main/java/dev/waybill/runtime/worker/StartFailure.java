package dev.waybill.runtime.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Reason why the worker of a graph cannot start, for the user who deployed it; contains no paths of this machine.
 *
 * @param cause one sentence
 * @param advice one sentence
 */
record StartFailure(String graph, String cause, String advice) {

    /** Error type of the shims for a module that does not export the graph. */
    private static final String EXPORT_NOT_FOUND = "ExportNotFound";
    private static final Set<String> IMPORTS = Set.of("ModuleNotFoundError", "ImportError", "ERR_MODULE_NOT_FOUND",
            "MODULE_NOT_FOUND");
    private static final int MAX_MESSAGE = 400;
    private static final int FIRST_SIGNAL = 128;
    private static final String SEE_LOG = "Fix it and deploy again; the log has its last output.";
    // An absolute path or file URL with at least two names, at the start of a word or quotation.
    private static final Pattern PATH = Pattern
            .compile("(?<![\\w./:-])(?:file://)?/(?:[^\\s'\"`:,;()<>]+/)+([^\\s'\"`:,;()<>]*)");

    /** Returns the failure of a worker that responded to {@code initialize} with an error. */
    static StartFailure initializeFailed(String graph, @Nullable String error, String message, Path directory) {
        String text = withoutPaths(message, directory);
        if (EXPORT_NOT_FOUND.equals(error)) {
            return new StartFailure(graph, "Graph \"" + graph + "\" is missing: " + sentence(text),
                    "Fix graphs." + graph + " in langgraph.json, or export the graph under that name.");
        }
        String named = error == null || text.startsWith(error) ? text : error + ": " + text;
        String cause = "The worker of graph \"" + graph + "\" cannot load it: " + sentence(named);
        return new StartFailure(graph, cause, error != null && IMPORTS.contains(error)
                ? "Add the missing module to the application's dependencies or to install_command, and deploy again."
                : SEE_LOG);
    }

    /** Returns the failure of a worker whose process ended before it was ready. */
    static StartFailure exited(String graph, int exit) {
        String how = exit > FIRST_SIGNAL ? "was killed by signal " + (exit - FIRST_SIGNAL)
                : "ended with exit code " + exit;
        return new StartFailure(graph, "The worker of graph \"" + graph + "\" " + how + " before it was ready.", SEE_LOG);
    }

    /** Returns the failure of a worker that the runtime killed before it was ready. */
    static StartFailure stopped(String graph, String reason) {
        return new StartFailure(graph, "The worker of graph \"" + graph + "\" " + sentence(reason), SEE_LOG);
    }

    /** Returns the failure of a worker that repeatedly ended soon after it was ready. */
    static StartFailure crashing(String graph, int times) {
        return new StartFailure(graph,
                "The worker of graph \"" + graph + "\" ended " + times + " times soon after its start, without serving a run.",
                SEE_LOG);
    }

    /** Returns the failure of a worker whose program is missing or cannot be executed. */
    static StartFailure noProgram(String graph, String message, Path directory) {
        return new StartFailure(graph,
                "The worker of graph \"" + graph + "\" cannot be started: " + sentence(withoutPaths(message, directory)),
                "Install the program with install_command or fix graphs." + graph + " in langgraph.json, and deploy again.");
    }

    /** Returns the first line, shortened, with paths relative to the application's directory. */
    private static String withoutPaths(String message, Path directory) {
        String line = message.lines().filter(text -> !text.isBlank()).findFirst().orElse("no reason was given").strip();
        String own = directory.toAbsolutePath().normalize() + "/";
        String relative = line.replace("file://" + own, "").replace(own, "").replaceAll("\\p{Cntrl}", " ");
        String text = PATH.matcher(relative).replaceAll(found -> Matcher.quoteReplacement(found.group(1)));
        return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + " ...";
    }

    private static String sentence(String text) {
        return text.endsWith(".") || text.endsWith("!") || text.endsWith("?") ? text : text + ".";
    }

    /**
     * Writes the reason why a worker cannot start to the failure file, for the control plane, and exits the runtime
     * (docs/worker-protocol.md). Without a failure file, the runtime continues and restarts its workers.
     */
    static class StartFailureReporter {

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

        // The reason is last because Kubernetes only retains the end of a long termination message. Written in place,
        // because the
        // file is a mount that cannot be replaced.
        private static void write(Path file, StartFailure failure, List<String> output) throws IOException {
            List<String> lines = new ArrayList<>(output);
            lines.add(JsonNodeFactory.instance.objectNode().put("graph", failure.graph()).put("cause", failure.cause())
                    .put("advice", failure.advice()).toString());
            Files.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
