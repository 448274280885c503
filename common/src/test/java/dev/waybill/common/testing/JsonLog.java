package dev.waybill.common.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** The JSON log of the service under test, written to a file in addition to the console. */
public final class JsonLog {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    // Tests of packaged services read the service's port from this file.
    private static final Path FILE = Path.of("target", "quarkus.log").toAbsolutePath();

    private JsonLog() {
    }

    /** Returns settings that enable the log. */
    public static Map<String, String> settings() {
        return Map.of("quarkus.log.file.enabled", "true", "quarkus.log.file.path", FILE.toString(),
                "quarkus.log.file.json.enabled", "true", "quarkus.log.file.rotation.max-file-size", "1G",
                // Disabled because of its size; tests of the audit log enable it (AuditLogCapture).
                "quarkus.log.category.\"waybill.audit\".level", "WARN");
    }

    /** Returns the current content of the file. */
    public static String text() {
        try {
            return Files.readString(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lines that contain the text, parsed as JSON. */
    public static List<JsonNode> linesWith(String text) {
        return text().lines().filter(line -> line.contains(text) && line.endsWith("}")).map(JsonLog::read).toList();
    }

    /** Returns the lines of these requests by request id. */
    public static Map<String, List<JsonNode>> linesOf(Set<String> requestIds) {
        return text().lines()
                .filter(line -> line.contains("request_id") && line.endsWith("}"))
                .map(JsonLog::read)
                .filter(line -> requestIds.contains(line.at("/mdc/request_id").asText()))
                .collect(Collectors.groupingBy(line -> line.at("/mdc/request_id").asText()));
    }

    private static JsonNode read(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + line, e);
        }
    }
}
