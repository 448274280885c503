package dev.waybill.common.application;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.application.ApplicationFile.ContainedPath;
import dev.waybill.common.application.Graph.Language;
import dev.waybill.common.application.Graph.Origin;

/** Reads one entry of {@code graphs}: {@code "path:export"}, {@code {path, description}} or {@code {command, description}}. */
final class GraphReader {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern EXPORT = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");
    private static final String FORM = "must be \"path:export\", for example \"./agent.mjs:graph\"";

    private final ContainedPath paths;
    private final List<String> errors;

    GraphReader(ContainedPath paths, List<String> errors) {
        this.paths = paths;
        this.errors = errors;
    }

    Optional<Graph> read(String id, JsonNode value) {
        int before = errors.size();
        if (!ID.matcher(id).matches()) {
            error(id, "is not a valid graph name: use at most 100 letters, digits, '.', '_' and '-'");
        }
        Origin origin = value.isTextual() ? exported(id, value.textValue()) : detailed(id, value);
        String description = value.path("description").isTextual() ? value.get("description").textValue() : null;
        if (origin == null || errors.size() > before) {
            return Optional.empty();
        }
        return Optional.of(new Graph(id, description, origin));
    }

    private @Nullable Origin detailed(String id, JsonNode value) {
        boolean path = value.has("path");
        boolean command = value.has("command");
        if (path == command) {
            error(id, FORM + ", or an object with either \"path\" or \"command\": [\"program\", \"argument\"]");
            return null;
        }
        if (command) {
            return command(id, value.get("command"));
        }
        if (!value.get("path").isTextual()) {
            error(id, "path " + FORM);
            return null;
        }
        return exported(id, value.get("path").textValue());
    }

    private @Nullable Origin command(String id, JsonNode command) {
        List<String> words = new ArrayList<>();
        for (JsonNode word : command) {
            if (word.isTextual() && word.textValue().indexOf('\0') < 0) {
                words.add(word.textValue());
            }
        }
        if (!command.isArray() || words.isEmpty() || words.size() < command.size() || words.getFirst().isBlank()) {
            error(id, "command must be a list of strings, the program first, for example [\"java\", \"Agent.java\"]");
            return null;
        }
        return new Graph.Command(words);
    }

    private @Nullable Origin exported(String id, String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !EXPORT.matcher(text.substring(colon + 1)).matches()) {
            error(id, FORM + ", not \"" + text + "\"");
            return null;
        }
        String path = text.substring(0, colon);
        Language language = language(id, path);
        if (language == null) {
            return null;
        }
        Optional<Path> source = paths.of(path);
        if (source.isEmpty()) {
            error(id, "must name a file inside the application, for example \"./agent.mjs:graph\", not \"" + path + "\"");
        } else if (!Files.isRegularFile(source.get())) {
            error(id, "names \"" + path + "\", which does not exist; use a path relative to the application's directory,"
                    + " for example \"./src/agent.mjs:graph\"");
        }
        return new Graph.Module(language, path, text.substring(colon + 1));
    }

    private @Nullable Language language(String id, String path) {
        String ending = path.substring(path.lastIndexOf('.') + 1);
        return switch (ending) {
            case "mjs", "js", "cjs" -> Language.NODE;
            case "py" -> Language.PYTHON;
            case "ts", "mts", "cts", "tsx" -> reject(id, "names TypeScript; compile it first and name the .js file");
            default -> reject(id, "names \"" + path + "\", whose language is not supported: use .mjs, .js, .cjs or .py; for any"
                    + " other language use {\"command\": [\"program\", \"argument\"]}");
        };
    }

    private @Nullable Language reject(String id, String what) {
        error(id, what);
        return null;
    }

    private void error(String id, String what) {
        errors.add("graphs." + id + " " + what);
    }
}
