package dev.waybill.runtime.worker;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

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
}
