package dev.waybill.local.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

class TextPerturberTest {

    private static final Corpus CORPUS = Corpus.read(null);

    @Test
    void preservesLengthAndStructure() {
        TextPerturber perturber = new TextPerturber(7, CORPUS.vocabulary());
        CORPUS.traces().stream().flatMap(trace -> trace.stream()).limit(500).forEach(run -> {
            byte[] perturbed = perturber.apply(run.inputs());

            assertThat(perturbed).hasSameSizeAs(run.inputs());
            assertThat(shape(Json.parse(perturbed))).isEqualTo(shape(Json.parse(run.inputs())));
        });
    }

    @Test
    void replacesConsistentlyWithinARoundOnly() {
        String text = "{\"order\":12345,\"text\":\"Order 12345 \\n should arrive tomorrow, \\u00e9 version 4\"}";

        String perturbed = perturb(1, text);

        assertThat(perturb(1, text)).isEqualTo(perturbed).isNotEqualTo(text).isNotEqualTo(perturb(2, text));
        assertThat(Json.parse(perturbed).get("text").textValue()).contains("Order " + Json.parse(perturbed).get("order") + " ")
                .contains("\u00e9").endsWith(" 4");
    }

    @Test
    void generatedRowsRepeatNoMoreThanRecordedOnes() {
        Set<String> inputs = new HashSet<>();
        int[] rows = { 0 };
        new RunGenerator(CORPUS, TraceDay.DATE, 1).generate(3 * CORPUS.runs(), run -> {
            inputs.add(new String(run.inputs(), StandardCharsets.UTF_8));
            rows[0]++;
        });
        long real = CORPUS.traces().stream().flatMap(trace -> trace.stream())
                .map(run -> new String(run.inputs(), StandardCharsets.UTF_8)).distinct().count();

        assertThat((double) inputs.size() / rows[0]).isGreaterThan(0.9 * real / CORPUS.runs());
    }

    private static String perturb(long round, String text) {
        return new String(new TextPerturber(round, CORPUS.vocabulary()).apply(text.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8);
    }

    /** Returns names and types of members without their values. */
    private static String shape(JsonNode json) {
        StringBuilder shape = new StringBuilder(json.getNodeType().toString());
        json.properties().forEach(member -> shape.append(member.getKey()).append(shape(member.getValue())));
        if (json.isArray()) {
            json.forEach(element -> shape.append(shape(element)));
        }
        return shape.toString();
    }
}
