package dev.waybill.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

class MessageReaderTest {

    private static final UUID RUN = UUID.fromString("01234567-89ab-7def-8123-456789abcdef");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final MessageReader reader = new MessageReader(1 << 20);

    @ParameterizedTest
    @ValueSource(strings = { "1", "-1.5e3", "true", "null", "\"\"", "\"a\\\"}{b\"", "[]", "{}", "[1, {\"a\": [ ]}]",
            "{ \"a\" : \"ä😀\" , \"b\":null }" })
    void dataIsCopiedVerbatim(String data) {
        assertThat(data(event(data))).isEqualTo(data);
        assertThat(data(event(data + "  "))).isEqualTo(data);
    }

    @Test
    void membersMayHaveAnyOrderAndUnknownOnesAreIgnored() {
        Message message = read(
                "{\"params\": {\"data\": {\"a\": 1}, \"later\": [{}], \"mode\": \"custom\", \"namespace\": [\"a\", \"b:1\"],"
                        + " \"run\": \"" + RUN + "\"}, \"more\": {\"id\": 1}, \"method\": \"run/event\"}");

        assertThat(message).isInstanceOfSatisfying(Message.Event.class, event -> {
            assertThat(event.run()).isEqualTo(RUN);
            assertThat(event.mode()).isEqualTo("custom");
            assertThat(event.namespace()).isEqualTo("|a|b:1");
            assertThat(new String(event.data(), StandardCharsets.UTF_8)).isEqualTo("{\"a\": 1}");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "values | {\"id\":\"c\"} | {\"id\":\"c\"}", "values | 1 |",
            "custom | {\"id\":\"c\"} |" })
    void onlyValuesHaveACheckpoint(String mode, String given, @Nullable String expected) {
        Message message = read("{\"method\":\"run/event\",\"params\":{\"run\":\"" + RUN + "\",\"mode\":\"" + mode
                + "\",\"namespace\":[\"a\"],\"checkpoint\":" + given + ",\"data\":{}}}");

        assertThat(message).isInstanceOfSatisfying(Message.Event.class, event -> assertThat(event.checkpoint())
                .isEqualTo(expected == null ? null : expected.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void lineEndsInDataAreReplaced() {
        assertThat(data(event("{\"a\":\r1,\r\"b\":\"\\r\\n\"}"))).isEqualTo("{\"a\": 1, \"b\":\"\\r\\n\"}");
    }

    @RepeatedTest(200)
    void anyJsonIsPreserved(RepetitionInfo repetition) throws IOException {
        JsonNode json = json(new Random(repetition.getCurrentRepetition()), 4);

        assertThat(MAPPER.readTree(data(event(MAPPER.writeValueAsString(json))))).isEqualTo(json);
        assertThat(MAPPER.readTree(data(event(json.toPrettyString().replace('\n', '\r'))))).isEqualTo(json);
    }

    @Test
    void responsesAreResultsOrFailures() {
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"values\":[1]}}"))
                .isEqualTo(new Message.Result(7, JsonNodeFactory.instance.objectNode()
                        .set("values", JsonNodeFactory.instance.arrayNode().add(1))));
        assertThat(read("{\"id\":8,\"error\":{\"code\":-32800,\"message\":\"m\",\"data\":{\"error\":\"E\"}}}"))
                .isEqualTo(new Message.Failure(8, -32800, "E", "m"));
        assertThat(read("{\"id\":9,\"error\":{}}")).isEqualTo(new Message.Failure(9, 0, null, "The worker gave no reason."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"method":"run/event","params":{"run":"RUN","mode":"custom","data":                | true
            {"method":"run/event","params":{"run":"RUN","mode":"custom","data":{"a":1,}}}      | true
            {"method":"run/event","params":{"run":"RUN","mode":"custom","data":tru}}           | true
            {"method":"run/event","params":{"run":"RUN","mode":"unheard-of","data":1}}         | true
            {"method":"run/event","params":{"run":"RUN","mode":"custom"}}                      | true
            {"method":"run/event","params":{"run":"RUN","mode":"custom","data":1}} {}          | true
            {"method":"run/event","params":{"run":"RUN","mode":"custom","namespace":["a\\nb"],"data":1}}  | true
            {"method":"run/event","params":{"mode":"custom","data":1,"run":"RUN"               | true
            {"method":"run/event","params":{"mode":"custom","data":tru,"run":"RUN"}}           | false
            {"method":"run/event","params":{"run":"7","mode":"custom","data":1}}               | false
            {"method":                                                                         | false
            {}                                                                                 | false
            {"id":"seven","result":1}                                                          | false
            """)
    void whatIsNoMessageIsToldWithItsRunWherePossible(String line, boolean runKnown) {
        assertThat(read(line.strip().replace("RUN", RUN.toString()))).isInstanceOfSatisfying(
                Message.Invalid.class, broken -> assertThat(broken.run()).isEqualTo(runKnown ? RUN : null));
    }

    @Test
    void namespaceWithSeparatorIsInvalid() {
        assertThat(read(namespaced("a|b"))).isEqualTo(
                new Message.Invalid("an event whose namespace has control characters, '|' or no text", RUN, null));
    }

    @ParameterizedTest
    @ValueSource(strings = { "a stray print", "[1]", "7" })
    void otherTextIsPrint(String line) {
        assertThat(read(line)).isEqualTo(new Message.Print(line));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "  ", "{\"method\":\"run/trace\",\"params\":{\"run\":7}}", "{\"id\":3,\"method\":\"ask\"}" })
    void unknownMethodsAreIgnored(String line) {
        assertThat(read(line)).isEqualTo(new Message.Unknown());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"jsonrpc":"2.0","method":"run/event","params":{"run":"RUN","mode":"values","data":{"a":"          | values  | ``
            {"method":"run/event","params":{"run":"RUN","mode":"updates","namespace":["a","b:1"],"data":[1,    | updates | `|a|b:1`
            {"method":"run/event","params":{"namespace":[],"mode":"tasks","run":"RUN","data":"x                | tasks   | ``
            """)
    void tooLongEventIsOmitted(String line, String mode, String namespace) {
        byte[] beginning = line.replace("RUN", RUN.toString()).getBytes(StandardCharsets.UTF_8);

        assertThat(reader.readPrefix(beginning, 0, beginning.length, 400, 5_000_000))
                .isEqualTo(new Message.OmittedEvent(RUN, mode, namespace, 5_000_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"method\":\"run/event\",\"params\":{\"run\":\"RUN\",\"mode\":\"values\",\"namespace\":[\"a",
            "{\"method\":\"run/event\",\"params\":{\"run\":\"RUN\",\"mode\":\"unheard-of\",\"data\":[1",
            "{\"method\":\"run/event\",\"params\":{\"run\":\"RUN\",\"data\":[1",
            "{\"method\":\"run/step\",\"params\":{\"run\":\"RUN\",\"mode\":\"values\",\"data\":[1" })
    void tooLongLineKeepsItsRun(String line) {
        byte[] beginning = line.replace("RUN", RUN.toString()).getBytes(StandardCharsets.UTF_8);

        assertThat(reader.readPrefix(beginning, 0, beginning.length, 400, 5_000_000))
                .isEqualTo(new Message.Invalid("a line of more than 400 bytes", RUN, null));
    }

    @Test
    void tooLongResponseKeepsItsRequest() {
        byte[] beginning = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"values\":\"xxxxx".getBytes(StandardCharsets.UTF_8);

        assertThat(reader.readPrefix(beginning, 0, beginning.length, 40, 5_000_000))
                .isEqualTo(new Message.Invalid("a line of more than 40 bytes", null, 7L));
    }

    @Test
    void deepNestingIsRejectedWithoutOverflow() {
        assertThat(read(event("[".repeat(100_000)))).isInstanceOfSatisfying(Message.Invalid.class,
                broken -> assertThat(broken.run()).isEqualTo(RUN));
    }

    @ParameterizedTest
    @ValueSource(strings = { "run", "mode", "namespace" })
    void nestedMembersOfWrongTypesAreIgnored(String member) {
        String wrong = "\"" + member + "\":{\"data\":1,\"mode\":\"values\",\"run\":\"" + RUN + "\"}";

        Message message = read("{\"method\":\"run/event\",\"params\":{" + wrong
                + ",\"data\":2,\"method\":\"x\"},\"id\":7}");

        assertThat(message).isEqualTo(new Message.Invalid("an event without run, mode or data", null, 7L));
    }

    private static String event(String data) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + RUN + "\",\"mode\":\"custom\",\"data\":"
                + data
                + "}}";
    }

    private static String namespaced(String namespace) {
        return "{\"method\":\"run/event\",\"params\":{\"run\":\"" + RUN + "\",\"mode\":\"custom\",\"namespace\":[\"" + namespace
                + "\"],\"data\":1}}";
    }

    /** Parses the line in the middle of a larger buffer. */
    private Message read(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        byte[] buffer = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, buffer, 7, bytes.length);
        return reader.read(buffer, 7, bytes.length);
    }

    private String data(String line) {
        Message message = read(line);
        assertThat(message).as(line).isInstanceOf(Message.Event.class);
        return new String(((Message.Event) message).data(), StandardCharsets.UTF_8);
    }

    private static JsonNode json(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> JsonNodeFactory.instance.numberNode(random.nextInt());
            case 1 -> JsonNodeFactory.instance.textNode(random.ints(random.nextInt(20), 0, 0xd800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString());
            case 2 -> JsonNodeFactory.instance.booleanNode(random.nextBoolean());
            case 3 -> JsonNodeFactory.instance.nullNode();
            case 4 -> {
                var array = JsonNodeFactory.instance.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(json(random, depth - 1));
                }
                yield array;
            }
            default -> {
                var object = JsonNodeFactory.instance.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set("m" + random.nextInt(100), json(random, depth - 1));
                }
                yield object;
            }
        };
    }
}
