package dev.waybill.local.tour;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/**
 * Sample traces from real applications; {@code samples/README.md} names their sources.
 *
 * @param file the name of a gzipped file with one run per line
 * @param session the tracing project
 * @param description a short description
 */
public record Sample(String file, String session, String description) {

    /** Returns all samples. */
    public static List<Sample> all() {
        return List.of(
                new Sample("retail-agent", "sample-retail-agent", "an agent that serves customers of a shop"),
                new Sample("provider-calls", "sample-provider-calls", "calls to model providers, embeddings, vector stores"),
                new Sample("typed-agents", "sample-typed-agents", "agents with typed outputs"));
    }

    /** Reads the runs in the order of the file. */
    public List<JsonNode> runs() {
        String resource = "/samples/" + file + ".jsonl.gz";
        try (InputStream packed = Sample.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            BufferedReader lines = new BufferedReader(
                    new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.UTF_8));
            return lines.lines().map(Json::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
