package dev.waybill.local.bench;

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
    void keepsLengthAndStructure() {
        TextPerturber retelling = new TextPerturber(7, CORPUS.vocabulary());
        CORPUS.traces().stream().flatMap(trace -> trace.stream()).limit(500).forEach(run -> {
            byte[] told = retelling.apply(run.inputs());

            assertThat(told).hasSameSizeAs(run.inputs());
            assertThat(shape(Json.parse(told))).isEqualTo(shape(Json.parse(run.inputs())));
        });
    }

    @Test
    void tellsTheSameAlikeThroughoutARoundAndOtherwiseInTheNext() {
        String text = "{\"order\":12345,\"text\":\"Order 12345 \\n should arrive tomorrow, \\u00e9 version 4\"}";

        String told = tell(1, text);

        assertThat(tell(1, text)).isEqualTo(told).isNotEqualTo(text).isNotEqualTo(tell(2, text));
        assertThat(Json.parse(told).get("text").textValue()).contains("Order " + Json.parse(told).get("order") + " ")
                .contains("\u00e9").endsWith(" 4");
    }

    @Test
    void rowsRepeatThemselvesNoMoreThanRealOnes() {
        Set<String> inputs = new HashSet<>();
        int[] rows = { 0 };
        new RunGenerator(CORPUS, BenchmarkDay.DATE, 1).generate(3 * CORPUS.runs(), run -> {
            inputs.add(new String(run.inputs(), StandardCharsets.UTF_8));
            rows[0]++;
        });
        long real = CORPUS.traces().stream().flatMap(trace -> trace.stream())
                .map(run -> new String(run.inputs(), StandardCharsets.UTF_8)).distinct().count();

        assertThat((double) inputs.size() / rows[0]).isGreaterThan(0.9 * real / CORPUS.runs());
    }

    private static String tell(long round, String text) {
        return new String(new TextPerturber(round, CORPUS.vocabulary()).apply(text.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8);
    }

    /** Names and kinds of members, without what they hold. */
    private static String shape(JsonNode json) {
        StringBuilder shape = new StringBuilder(json.getNodeType().toString());
        json.properties().forEach(member -> shape.append(member.getKey()).append(shape(member.getValue())));
        if (json.isArray()) {
            json.forEach(element -> shape.append(shape(element)));
        }
        return shape.toString();
    }
}
