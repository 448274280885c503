package dev.waybill.common.application;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.application.ApplicationFile.BoundedFileReader;
import dev.waybill.common.application.ApplicationFile.ContainedPath;

/**
 * Reads {@code env}: a map, or the path of a file with {@code KEY=value} lines. Values may be secret, so no error quotes one.
 */
final class EnvironmentReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern LINE = Pattern.compile("(?:export\\s+)?([^=\\s]+)\\s*=\\s*(.*)");
    private static final Pattern TRAILING_COMMENT = Pattern.compile("\\s+#.*$");

    private final ContainedPath paths;
    private final List<String> errors;
    private final Map<String, String> variables = new TreeMap<>();

    EnvironmentReader(ContainedPath paths, List<String> errors) {
        this.paths = paths;
        this.errors = errors;
    }

    Map<String, String> read(@Nullable JsonNode env) {
        if (env == null || env.isNull()) {
            return variables;
        }
        if (env.isObject()) {
            env.properties().forEach(entry -> member(entry.getKey(), entry.getValue()));
        } else if (env.isTextual() && !env.textValue().isBlank()) {
            file(env.textValue());
        } else {
            errors.add("env must be an object of names and values, or the path of a file of KEY=value lines such as \".env\"");
        }
        return variables;
    }

    private void member(String name, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            errors.add("env." + name + " must be a string, a number or a boolean; omit it if it has no value");
        } else {
            put("env." + name, name, value.asText());
        }
    }

    private void file(String name) {
        Optional<Path> file = paths.of(name).filter(Files::isRegularFile);
        if (file.isEmpty()) {
            errors.add(
                    "env names the file \"" + name
                            + "\", which is not a file of the application; use a path inside the application such as"
                            + " \".env\", or an object of names and values");
            return;
        }
        try {
            List<String> lines = text(file.get()).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                line("env: " + name + ", line " + (i + 1), lines.get(i).strip());
            }
        } catch (IOException e) {
            errors.add(
                    "env names the file \"" + name + "\", which cannot be read; it must be UTF-8 text of" + " at most 1 MiB");
        }
    }

    private static String text(Path file) throws IOException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(BoundedFileReader.read(file))).toString();
    }

    private void line(String where, String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        Matcher parts = LINE.matcher(line);
        if (parts.matches()) {
            put(where, parts.group(1), unquoted(parts.group(2).strip()));
        } else {
            errors.add(where + ", must be KEY=value");
        }
    }

    private void put(String where, String name, String value) {
        if (!NAME.matcher(name).matches() || value.indexOf('\0') >= 0) {
            errors.add(where
                    + " is not a valid environment variable: names consist of letters, digits and '_', and values must not contain zero bytes");
        } else {
            variables.put(name, value);
        }
    }

    private static String unquoted(String value) {
        if (value.length() >= 2 && value.startsWith("'") && value.endsWith("'")) {
            return value.substring(1, value.length() - 1);
        }
        if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
            return value.substring(1, value.length() - 1).replace("\\n", "\n").replace("\\\"", "\"");
        }
        return TRAILING_COMMENT.matcher(value).replaceFirst("");
    }
}
