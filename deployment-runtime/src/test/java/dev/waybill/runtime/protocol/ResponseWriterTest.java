package dev.waybill.runtime.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.CheckpointTuple.TaskWrite;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.StoreOperation.Item;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;

class ResponseWriterTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final UUID ID = UUID.fromString("1ef4f797-8335-6428-8001-8a1503f9b875");

    private final ResponseWriter writer = new ResponseWriter(Set.of("json"));

    @Test
    void pageHasTuplesBlobsAndNext() throws IOException {
        CheckpointTuple tuple = new CheckpointTuple("a|b", ID, null,
                SerializedValue.of("json", "{\"a\":\"\n\u00e4\"}".getBytes(UTF_8)),
                "{\"step\":1}".getBytes(UTF_8), Map.of("c", "1.2"), List.of(),
                List.of(new TaskWrite("t", -3, "c", SerializedValue.of("msgpack", new byte[] { 1, 2 }))));

        JsonNode result = result(writer.page(7, new CheckpointTuple.Page(List.of(tuple), List.of(
                new ChannelBlob("c", "1.2", SerializedValue.reference("json", "r", 9)),
                new ChannelBlob("d", "1.3", SerializedValue.empty())), ID)));

        assertThat(result.at("/tuples/0/checkpoint/1").textValue()).isEqualTo("{\"a\":\"\n\u00e4\"}");
        assertThat(result.at("/tuples/0/parent_id").isNull()).isTrue();
        assertThat(result.at("/tuples/0/metadata/step").intValue()).isEqualTo(1);
        assertThat(result.at("/tuples/0/writes/0")).hasToString("[\"t\",-3,\"c\",\"msgpack\",{\"base64\":\"AQI=\"}]");
        assertThat(result.path("blobs"))
                .hasToString("[[\"c\",\"1.2\",\"json\",{\"ref\":\"r\",\"size\":9}],[\"d\",\"1.3\",\"empty\",null]]");
        assertThat(result.path("next").textValue()).isEqualTo(ID.toString());
    }

    @Test
    void resultsOfTheStoreAreInOrder() throws IOException {
        Item item = new Item(List.of("a"), "k", SerializedValue.of("json", "{\"v\":1}".getBytes(UTF_8)), Instant.EPOCH,
                Instant.EPOCH);
        Item large = new Item(List.of("a"), "l", SerializedValue.reference("json", "r", 9), Instant.EPOCH, Instant.EPOCH);

        JsonNode result = result(writer.outcomes(7, List.of(new Outcome.None(), new Outcome.Found(item),
                new Outcome.Items(List.of(large)), new Outcome.Labels(List.of(List.of("a", "b"))))));

        assertThat(result.get(0).isNull()).isTrue();
        assertThat(result.get(1).at("/value/v").intValue()).isEqualTo(1);
        assertThat(result.get(2).at("/0/value_ref")).hasToString("{\"ref\":\"r\",\"size\":9}");
        assertThat(result.get(3)).hasToString("[[\"a\",\"b\"]]");
    }

    @Test
    void failureHasCodeTypeAndTimeToRetry() throws IOException {
        assertThat(MAPPER.readTree(ResponseWriter.failure(7,
                new RequestException(Code.STORAGE_UNAVAILABLE, "The storage is unavailable.", Duration.ofSeconds(2)))))
                .hasToString(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32004,\"message\":\"The storage is unavailable.\","
                                + "\"data\":{\"error\":\"StorageUnavailable\",\"retry_after_ms\":2000}}}");
        assertThat(MAPPER.readTree(ResponseWriter.failure(7, new RequestException(Code.INVALID_PARAMS, "m"))).at("/error"))
                .hasToString("{\"code\":-32602,\"message\":\"m\"}");
    }

    @ParameterizedTest
    @CsvSource({ "1, 1, 1", "1, 2, 1", "2, 2, 2", "2, 1, ", "3, 2, ", "0, 2, " })
    void workerMayChooseOfferedVersions(int chosen, int offered, Integer used) throws IOException {
        JsonNode response = MAPPER.readTree("{\"protocol_version\":" + chosen
                + ",\"text_types\":[\"json\",7],\"graphs\":{\"agent\":{\"memory\":\"own\",\"store\":true}}}");

        assertThat(Capabilities.from(response, "agent", offered).map(Capabilities::version).orElse(null)).isEqualTo(used);
    }

    @Test
    void unknownCapabilitiesAreIgnored() throws IOException {
        JsonNode response = MAPPER.readTree("{\"protocol_version\":2,\"text_types\":[\"json\",7,\"" + "x".repeat(65)
                + "\"],\"graphs\":{\"agent\":{\"memory\":\"later\"}}}");

        assertThat(Capabilities.from(response, "agent", 2))
                .contains(new Capabilities(2, Set.of("json"), Set.of(), Memory.STATE, false, false));
    }

    private static JsonNode result(byte[] line) throws IOException {
        assertThat(new String(line, UTF_8)).endsWith("\n").satisfies(text -> assertThat(text.strip()).doesNotContain("\n"));
        return MAPPER.readTree(line).path("result");
    }
}
