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
 * Real traces that come with the project; where they are from stands beside them.
 *
 * @param file one run a line, gzipped
 * @param session the tracing project that they belong to
 * @param about what they are, in a few words
 */
public record Sample(String file, String session, String about) {

    /** All samples. */
    public static List<Sample> all() {
        return List.of(
                new Sample("retail-agent", "sample-retail-agent", "an agent that serves customers of a shop"),
                new Sample("provider-calls", "sample-provider-calls", "calls to model providers, embeddings, vector stores"),
                new Sample("typed-agents", "sample-typed-agents", "agents with typed answers"));
    }

    /** @return every run, in the order of the file */
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
