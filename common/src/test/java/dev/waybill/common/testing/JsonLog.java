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

/** The log of the service under test as it is written in production, beside what people read on the console. */
public final class JsonLog {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    // Where tests of what is packaged look for its address.
    private static final Path FILE = Path.of("target", "quarkus.log").toAbsolutePath();

    private JsonLog() {
    }

    /** Settings that have it written. */
    public static Map<String, String> settings() {
        return Map.of("quarkus.log.file.enabled", "true", "quarkus.log.file.path", FILE.toString(),
                "quarkus.log.file.json.enabled", "true", "quarkus.log.file.rotation.max-file-size", "1G",
                // Thousands of lines that nobody looks at; who does, switches it on (AuditTrail).
                "quarkus.log.category.\"waybill.audit\".level", "WARN");
    }

    /** The file as it stands. */
    public static String text() {
        try {
            return Files.readString(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its lines that contain the text, each read as JSON. */
    public static List<JsonNode> linesWith(String text) {
        return text().lines().filter(line -> line.contains(text) && line.endsWith("}")).map(JsonLog::read).toList();
    }

    /** Its lines by the request that they belong to, of these requests. */
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
