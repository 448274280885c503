package dev.waybill.runtime.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.StoreOperation.Match;

class RequestReaderTest {

    private static final String RUN = "01234567-89ab-7def-8123-456789abcdef";
    private static final UUID ID = UUID.fromString("1ef4f797-8335-6428-8001-8a1503f9b875");
    private static final RequestReader.Parts NO_PARTS = (part, size) -> {
        throw new AssertionError("no part is expected");
    };

    private final MessageReader messages = new MessageReader(1 << 20);
    private final RequestReader reader = new RequestReader(1 << 20);

    RequestReaderTest() {
        messages.acceptRequests();
    }

    @RepeatedTest(50)
    void membersMayHaveAnyOrder(RepetitionInfo repetition) {
        List<String> params = new ArrayList<>(List.of("\"run\":\"" + RUN + "\"", "\"ns\":\"a|b\"", "\"id\":\"" + ID + "\"",
                "\"parent_id\":null", "\"checkpoint\":[\"json\",\"{\\\"a\\\":\\\"\u00e4\\\"}\"]",
                "\"metadata\":{\"run\":\"x\"}",
                "\"versions\":{\"messages\":\"1.2\"}", "\"later\":[{\"id\":1}]",
                "\"blobs\":[[\"messages\",\"1.2\",\"msgpack\",{\"base64\":\"AQID\"}],[\"gone\",\"1.3\",\"empty\",null]]"));
        Random random = new Random(repetition.getCurrentRepetition());
        Collections.shuffle(params, random);
        List<String> members = new ArrayList<>(List.of("\"jsonrpc\":\"2.0\"", "\"id\":7", "\"method\":\"checkpoint/put\"",
                "\"params\":{" + String.join(",", params) + "}"));
        Collections.shuffle(members, random);

        Message message = message("{" + String.join(",", members) + "}");

        assertThat(message).isInstanceOfSatisfying(Message.Call.class, request -> {
            assertThat(request.id()).isEqualTo(7);
            assertThat(request.run()).isEqualTo(UUID.fromString(RUN));
            assertThat(reader.read(request, NO_PARTS)).isInstanceOfSatisfying(RequestParams.CheckpointPut.class, put -> {
                assertThat(put.namespace()).isEqualTo("a|b");
                assertThat(put.id()).isEqualTo(ID);
                assertThat(put.parent()).isNull();
                assertThat(put.checkpoint().bytes()).isEqualTo("{\"a\":\"\u00e4\"}".getBytes(UTF_8));
                assertThat(put.metadata()).isEqualTo("{\"run\":\"x\"}".getBytes(UTF_8));
                assertThat(put.versions()).isEqualTo(Map.of("messages", "1.2"));
                assertThat(put.blobs()).extracting(ChannelBlob::channel).containsExactly("messages", "gone");
                assertThat(put.blobs().getFirst().value().bytes()).containsExactly(1, 2, 3);
                assertThat(put.blobs().getLast().value()).isEqualTo(SerializedValue.empty());
            });
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"id":7,"method":"checkpoint/put","params":{"run":"RUN","ns":          | RUN |
            {"id":7,"method":"checkpoint/put","params":{"run":"RUN","ns":tru}}     | RUN |
            {"id":7,"method":"checkpoint/put","params":{"ns":"","run":"RUN"        | RUN |
            {"params":{"run":"RUN","data":1},"id":7,"method":"checkpoint/put"      | RUN |
            {"id":"7","method":"checkpoint/put","params":{"run":"RUN"}}            | RUN |
            {"method":"store/batch","params":{"run":"RUN"}}                        | RUN |
            {"id":7,"method":"checkpoint/put","params":                            |     |
            {"id":7,"method":"checkpoint/put","params":[1]}                        |     |
            {"id":7,"met                                                           |     |
            {"id":7,"result":{"values":                                            |     | 7
            {"id":7,"error":{                                                      |     | 7
            {"id":7,"method":"run/event","params":{"mode":"custom","data":1}}      |     |
            {"method":"run/event","params":{},"method":"a","id":1}                 |     |
            """)
    void brokenLineIsAttributedToItsRunOrRequest(String line, String run, Long request) {
        assertThat(message(line.strip().replace("RUN", RUN))).isInstanceOfSatisfying(Message.Invalid.class, broken -> {
            assertThat(broken.run()).isEqualTo(run == null ? null : UUID.fromString(RUN));
            assertThat(broken.id()).isEqualTo(request);
        });
    }

    @Test
    void workersOfVersion1SendNoRequests() {
        byte[] line = line("checkpoint/get", "\"ns\":\"\"").getBytes(UTF_8);

        assertThat(new MessageReader(1 << 20).read(line, 0, line.length)).isEqualTo(new Message.Unknown());
    }

    @Test
    void unknownNotificationIsIgnoredAndUnknownMethodRejected() {
        assertThat(message("{\"method\":\"run/later\",\"params\":{\"run\":1}}")).isEqualTo(new Message.Unknown());
        assertThat(code("run/later", "")).isEqualTo(Code.UNKNOWN_METHOD);
    }

    @Test
    void tooLongRequestKeepsItsRun() {
        byte[] prefix = line("checkpoint/put", "\"ns\":\"" + "x".repeat(2000)).substring(0, 1000).getBytes(UTF_8);

        assertThat(messages.readPrefix(prefix, 0, prefix.length, 1000, 5_000_000))
                .isEqualTo(new Message.Invalid("a line of more than 1000 bytes", UUID.fromString(RUN), null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            checkpoint/get       |                                                       | 'ns' is missing.
            checkpoint/batch     | "operations":1                                        | 'operations' must be an array.
            checkpoint/batch     | "operations":[{"ns":""}]                              | 'method' is missing.
            checkpoint/batch     | "operations":[{"method":"checkpoint/put"}]            | 'ns' is missing.
            checkpoint/get       | "ns":1                                                | 'ns' must be a string.
            checkpoint/get       | "ns":"","id":"1ef4f797"                               | 'id' must be a UUID.
            checkpoint/get       | "ns":"a\\u0000"                                       | 'ns' must be a string without U+0000
            checkpoint/get       | "ns":"a\\ud800"                                       | 'ns' must be a string without U+0000
            checkpoint/list      | "limit":0                                             | 'limit' must be an integer between 1 and 1000.
            checkpoint/list      | "filter":[]                                           | 'filter' must be an object.
            checkpoint/putWrites | "ns":"","id":"ID","task":"t","writes":[[0,"a"]]       | 'writes' must be complete.
            checkpoint/putWrites | "ns":"","id":"ID","task":"t","writes":[[0,"a","json",{"base64":"?"}]] | 'writes' must be a string in base64.
            checkpoint/putWrites | "ns":"","id":"ID","task":"t","writes":[[0,"a","empty","x"]]           | 'writes' must be null for the type empty.
            blob/part            | "message":1,"total":2,"part":0,"value":"a"            | 'size' is missing.
            blob/read            | "ref":"a","offset":-1                                 | 'offset' must be an integer between 0
            store/batch          | "operations":[{"op":"drop","ns":["a"]}]               | 'op' must be get, put, search or namespaces.
            store/batch          | "operations":[{"op":"get","ns":[],"key":"k"}]         | 'ns' must be an array with at least one label.
            """)
    void invalidParamsNameTheMember(String method, String params, String message) {
        assertThatThrownBy(() -> read(method, params == null ? "" : params.replace("ID", ID.toString())))
                .isInstanceOfSatisfying(RequestException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_PARAMS))
                .hasMessageStartingWith(message.replace('\'', '`'));
    }

    @Test
    void limitsAreEnforced() {
        assertThat(code("checkpoint/get", "\"ns\":\"" + "n".repeat(1025) + "\"")).isEqualTo(Code.VALUE_TOO_LARGE);
        assertThat(code("checkpoint/list", "\"filter\":{\"a\":\"" + "f".repeat(64 << 10) + "\"}"))
                .isEqualTo(Code.VALUE_TOO_LARGE);
        assertThat(code("store/batch", "\"operations\":[" + "{\"op\":\"get\",\"ns\":[\"a\"],\"key\":\"k\"},".repeat(1000)
                + "{\"op\":\"get\",\"ns\":[\"a\"],\"key\":\"k\"}]")).isEqualTo(Code.VALUE_TOO_LARGE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":"x\\u0000y"}        | {"a":"x\\ufffdy"}
            {"a":"x\\\\u0000y"}      | {"a":"x\\\\u0000y"}
            {"a":"\\ud83d\\ude00"}   | {"a":"\\ud83d\\ude00"}
            {"a":"\\ud83d"}          | {"a":"\\ufffd"}
            {"a":"\\ude00\\ud83d"}   | {"a":"\\ufffd\\ufffd"}
            """)
    void metadataCanBeStoredByPostgres(String sent, String stored) {
        assertThat(ParamsParser.storable(sent.getBytes(UTF_8))).isEqualTo(stored.getBytes(UTF_8));
    }

    @Test
    void storeOperationsAreRead() {
        assertThat(read("store/batch", "\"operations\":[{\"key\":\"k\",\"ns\":[\"a\",\"b\"],\"op\":\"get\"},"
                + "{\"op\":\"put\",\"ns\":[\"a\"],\"key\":\"k\",\"value\":null,\"ttl\":1.5},"
                + "{\"op\":\"search\",\"prefix\":[],\"filter\":null,\"limit\":5,\"offset\":2,\"refresh_ttl\":false},"
                + "{\"op\":\"namespaces\",\"match\":[{\"type\":\"suffix\",\"path\":[\"*\",\"z\"]}],\"max_depth\":2}]"))
                .isEqualTo(new RequestParams.StoreBatch(List.of(
                        new StoreOperation.Get(List.of("a", "b"), "k", true),
                        new StoreOperation.Put(List.of("a"), "k", null, 1.5),
                        new StoreOperation.Search(List.of(), null, 5, 2, false),
                        new StoreOperation.Namespaces(List.of(new Match(true, List.of("*", "z"))), 2, 100, 0))));
    }

    @Test
    void valuesInPartsAreTaken() {
        Message.Call request = (Message.Call) message(line("checkpoint/putWrites", "\"ns\":\"\",\"id\":\"" + ID
                + "\",\"task\":\"t\",\"writes\":[[-3,\"c\",\"json\",{\"part\":2,\"size\":9}]]"));

        assertThat(reader.read(request, (part, size) -> new byte[] { (byte) part, (byte) size }))
                .isInstanceOfSatisfying(RequestParams.WritesPut.class, put -> {
                    assertThat(put.writes().getFirst().index()).isEqualTo(-3);
                    assertThat(put.writes().getFirst().value().bytes()).containsExactly(2, 9);
                });
    }

    @Test
    void valuesReferToEarlierOnesOfTheirMessage() {
        String put = "{\"method\":\"checkpoint/put\",\"ns\":\"\",\"id\":\"" + ID + "\",\"parent_id\":null,\"metadata\":{},"
                + "\"checkpoint\":[\"json\",\"{}\"],\"blobs\":[[\"a\",\"1\",\"json\",\"[1]\"],[\"b\",\"1\",\"empty\",null],"
                + "[\"c\",\"1\",\"other\",{\"same\":1}]]}";
        String write = writes(
                "[0,\"d\",\"x\",{\"base64\":\"AQID\"}],[1,\"e\",\"y\",{\"same\":2}],[2,\"f\",\"json\",{\"same\":1}]");

        assertThat(read("checkpoint/batch", "\"operations\":[" + put + "," + write + "]"))
                .isInstanceOfSatisfying(RequestParams.CheckpointBatch.class, batch -> {
                    var stored = (RequestParams.CheckpointPut) batch.operations().getFirst();
                    var written = (RequestParams.WritesPut) batch.operations().getLast();
                    assertThat(stored.blobs().getLast().value()).isEqualTo(new SerializedValue("other",
                            stored.blobs().getFirst().value().bytes(), null, 3));
                    assertThat(written.writes().get(1).value().type()).isEqualTo("y");
                    assertThat(written.writes().get(1).value().bytes()).containsExactly(1, 2, 3);
                    assertThat(written.writes().get(2).value().bytes()).isEqualTo("[1]".getBytes(UTF_8));
                });
    }

    @Test
    void referencesToValuesAreLimited() {
        String reference = ",[1,\"b\",\"json\",{\"same\":0}]";
        String value = "[0,\"a\",\"json\",\"" + "v".repeat(1 << 18) + "\"]";

        assertThat(code("checkpoint/batch", operations(writes(value + reference.repeat(5))))).isEqualTo(Code.VALUE_TOO_LARGE);
        assertThat(read("checkpoint/batch", operations(writes(value + reference.repeat(4))))).isNotNull();
        assertThatThrownBy(() -> read("checkpoint/batch", operations(writes("[0,\"a\",\"json\",{\"same\":0}]"))))
                .hasMessage("`same` must be the number of an earlier value of the message, from 0.");
    }

    private static String operations(String operation) {
        return "\"operations\":[" + operation + "]";
    }

    private static String writes(String elements) {
        return "{\"method\":\"checkpoint/putWrites\",\"ns\":\"\",\"id\":\"" + ID + "\",\"task\":\"t\",\"writes\":["
                + elements + "]}";
    }

    private Code code(String method, String params) {
        try {
            throw new AssertionError("was read: " + read(method, params));
        } catch (RequestException e) {
            return e.code();
        }
    }

    private RequestParams read(String method, String params) {
        return reader.read((Message.Call) message(line(method, params)), NO_PARTS);
    }

    private static String line(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":{\"run\":\"" + RUN + "\""
                + (params.isEmpty() ? "" : "," + params) + "}}";
    }

    /** Parses the line in the middle of a larger buffer. */
    private Message message(String line) {
        byte[] bytes = line.getBytes(UTF_8);
        byte[] buffer = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, buffer, 7, bytes.length);
        return messages.read(buffer, 7, bytes.length);
    }
}
