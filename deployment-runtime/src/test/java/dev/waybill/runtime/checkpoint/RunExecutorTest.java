package dev.waybill.runtime.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter.RequestLimits;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.worker.WorkerRequests.RunRequests;

class RunExecutorTest {

    private static final int LINE = 1 << 20;
    private static final RequestLimits LIMITS = new RequestLimits(1 << 10, 4 << 10, 20 << 10);
    private static final long MEMORY = 64 << 10;

    private final Responses responses = new Responses();
    private final ManualHandler manual = new ManualHandler();
    private final RecordingHandler recording = new RecordingHandler();
    private final RequestMemory memory = new RequestMemory(MEMORY, Duration.ofMinutes(2));
    private long lastId;

    @AfterEach
    void closeHandler() {
        recording.close();
    }

    @Test
    void writesReachTheHandlerInOrderAndReadsWaitForThem() {
        RunRequests run = open(manual);
        List<Long> ids = IntStream.range(0, 5).mapToObj(i -> send(run, "checkpoint/putWrites", writes("t" + i, "\"x\"")))
                .toList();
        long read = send(run, "checkpoint/get", "\"ns\":\"\"");

        assertThat(manual.calls).containsExactly("t0", "t1", "t2", "t3", "t4");
        manual.complete(4);
        manual.complete(0);
        assertThat(responses.ids()).containsExactly(ids.get(4), ids.get(0));
        List.of(1, 2, 3).forEach(manual::complete);

        assertThat(manual.calls).last().isEqualTo("get");
        manual.complete(5);
        assertThat(responses.get(read).has("result")).isTrue();
        assertThat(memory.used()).isZero();
    }

    @Test
    void batchIsOneWriteInTheOrderOfItsOperations() {
        RunRequests run = open(manual);
        long batch = send(run, "checkpoint/batch", "\"operations\":[" + operation("putWrites", writes("a", "\"x\"")) + ","
                + operation("put", checkpoint("[\"c\",\"1\",\"json\",\"x\"]")) + ","
                + operation("putWrites", writes("b", "\"x\"")) + "]");
        long read = send(run, "checkpoint/get", "\"ns\":\"\"");

        assertThat(manual.calls).containsExactly("a+put+b");
        manual.complete(0);
        manual.complete(1);

        assertThat(responses.ids()).containsExactly(batch, read);
        assertThat(memory.used()).isZero();
    }

    @Test
    void batchStoresWhatPrecedesAnInvalidCheckpoint() {
        RunRequests run = open(manual);
        String tooLarge = checkpoint("[\"c\",\"1\",\"bytes\",{\"base64\":\"" + "AAAA".repeat(7 << 10) + "\"}]");
        long batch = send(run, "checkpoint/batch", "\"operations\":[" + operation("putWrites", writes("a", "\"x\"")) + ","
                + operation("put", tooLarge) + "," + operation("putWrites", writes("b", "\"x\"")) + "]");

        assertThat(manual.calls).containsExactly("a");
        manual.complete(0);

        assertThat(responses.get(batch).at("/error/data/error").textValue()).isEqualTo("StateTooLarge");
    }

    @Test
    void lastCheckpointsAreRetainedWithoutResponse() {
        RunRequests run = open(manual);

        execute(run, Message.Call.LAST, "\"operations\":[" + operation("putWrites", writes("a", "\"x\"")) + ","
                + operation("put", checkpoint("[\"c\",\"1\",\"json\",\"x\"]")) + "]");

        assertThat(manual.calls).containsExactly("last a+put");
        assertThat(run.refusal()).isNull();
        assertThat(responses.ids()).isEmpty();
        assertThat(memory.used()).isZero();
    }

    @Test
    void lastCheckpointsThatAreTooLargeFailTheRun() {
        RunRequests run = open(manual);
        String tooLarge = checkpoint("[\"c\",\"1\",\"bytes\",{\"base64\":\"" + "AAAA".repeat(7 << 10) + "\"}]");

        execute(run, Message.Call.LAST, "\"operations\":[" + operation("put", tooLarge) + "]");

        assertThat(manual.calls).isEmpty();
        assertThat(run.refusal()).extracting(RequestException::code).isEqualTo(Code.STATE_TOO_LARGE);
    }

    @Test
    void lastCheckpointsAboveTheirLimitAreRefused() {
        RunRequests run = open(manual);
        assertThat(execute(run, Message.Call.LAST, "\"operations\":[]" + " ".repeat(256 << 10))).contains("last checkpoints");
        assertThat(manual.calls).isEmpty();
        assertThat(run.refusal()).isNotNull();
    }

    @Test
    void lastCheckpointsAreSentOnceAndAfterTheResponsesToOthers() {
        RunRequests run = open(manual);
        send(run, "checkpoint/putWrites", writes("a", "\"x\""));
        assertThat(execute(run, Message.Call.LAST, "\"operations\":[]")).contains("without waiting");

        RunRequests other = open(manual);
        send(other, "checkpoint/putWrites", writes("b", "\"x\""));
        manual.complete(1);
        assertThat(execute(other, Message.Call.LAST, last("c"))).isNull();
        assertThat(execute(other, Message.Call.LAST, last("d"))).contains("more than once");

        assertThat(manual.calls).containsExactly("a", "b", "last c");
        assertThat(other.refusal()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = { "get", "putWrites", "delete" })
    void requestForCheckpointsAfterTheLastIsViolation(String method) {
        RunRequests run = open(manual);
        execute(run, Message.Call.LAST, last("a"));

        send(run, "store/batch", "\"operations\":[]");
        send(run, "result/part", "\"request\":9,\"total\":6,\"part\":0,\"text\":\"{\"");
        assertThat(execute(run, "checkpoint/" + method, writes("b", "\"x\""))).contains("after the last checkpoints");

        assertThat(manual.calls).containsExactly("last a", "store");
        assertThat(run.refusal()).isNotNull();
    }

    private static String last(String task) {
        return "\"operations\":[" + operation("putWrites", writes(task, "\"x\"")) + "]";
    }

    private static String operation(String method, String params) {
        return "{\"method\":\"checkpoint/" + method + "\"," + params + "}";
    }

    @Test
    void failureOfOneWriteDoesNotAffectOthers() {
        RunRequests run = open(manual);
        long first = send(run, "checkpoint/putWrites", writes("a", "\"x\""));
        long second = send(run, "checkpoint/putWrites", writes("b", "\"x\""));
        long read = send(run, "checkpoint/get", "\"ns\":\"\"");

        manual.fail(0, new RequestException(Code.FENCE_LOST, "Another replica has the run."));
        manual.fail(1, new IllegalStateException("a secret of the database"));
        manual.complete(2);

        assertThat(responses.get(first).at("/error/data/error").textValue()).isEqualTo("FenceLost");
        assertThat(responses.get(first).at("/error/code").intValue()).isEqualTo(-32002);
        assertThat(responses.get(second).at("/error/code").intValue()).isEqualTo(-32603);
        assertThat(responses.get(second).toString()).doesNotContain("secret");
        assertThat(responses.get(read).has("result")).isTrue();
    }

    @Test
    void exceedingTheWindowIsViolation() {
        RunRequests run = open(manual);
        String value = '"' + "x".repeat(3 << 10) + '"';

        assertThat(execute(run, "checkpoint/putWrites", writes("a", value))).isNull();
        assertThat(execute(run, "checkpoint/putWrites", writes("b", value))).isNull();
        assertThat(execute(run, "checkpoint/putWrites", writes("c", value))).contains("without waiting");
        assertThat(execute(run, "checkpoint/putWrites", writes("d", value))).contains("without waiting");

        assertThat(manual.calls).containsExactly("a", "b");
        assertThat(responses.get(lastId).at("/error/data/error").textValue()).isEqualTo("RunEnded");
    }

    @Test
    void acknowledgedWritesLeaveTheWindow() {
        RunRequests run = open(recording);
        for (int i = 0; i < 50; i++) {
            long id = send(run, "checkpoint/putWrites", writes("a", '"' + "x".repeat(3 << 10) + '"'));
            Patience.await().until(() -> responses.has(id));
        }
        assertThat(memory.used()).isZero();
    }

    @Test
    void storeBatchWaitsForEarlierBatchOnly() {
        RunRequests run = open(manual);
        send(run, "checkpoint/putWrites", writes("a", "\"x\""));
        send(run, "store/batch", "\"operations\":[]");
        send(run, "store/batch", "\"operations\":[]");

        assertThat(manual.calls).containsExactly("a", "store");
        manual.complete(1);
        assertThat(manual.calls).containsExactly("a", "store", "store");
    }

    @Test
    void valuesInPartsAreJoined() {
        RunRequests run = open(recording);
        byte[] large = bytes(5000);
        sendParts(run, 1, large);
        long put = send(run, "checkpoint/put", checkpoint("[\"big\",\"1\",\"bytes\",{\"part\":0,\"size\":5000}]"));
        Patience.await().until(() -> responses.has(put));
        long get = send(run, "checkpoint/get", "\"ns\":\"\"");
        Patience.await().until(() -> responses.has(get));

        JsonNode value = responses.get(get).at("/result/blobs/0/3");
        assertThat(value.path("size").intValue()).isEqualTo(5000);
        long read = send(run, "blob/read", "\"ref\":\"" + value.path("ref").textValue() + "\",\"offset\":4900");
        Patience.await().until(() -> responses.has(read));
        assertThat(responses.get(read).at("/result/value/base64").textValue())
                .isEqualTo(Base64.getEncoder().encodeToString(Arrays.copyOfRange(large, 4900, 5000)));
        assertThat(memory.used()).isZero();
    }

    @Test
    @Tag("full")
    void runsWithLargeMessagesDoNotBlockEachOther() {
        List<RunRequests> runs = IntStream.range(0, 8).mapToObj(i -> open(recording)).toList();
        List<Thread> workers = runs.stream().map(run -> Thread.ofVirtual().start(() -> {
            sendParts(run, 1, bytes(20_000));
            long put = send(run, "checkpoint/put", checkpoint("[\"big\",\"1\",\"bytes\",{\"part\":0,\"size\":20000}]"));
            Patience.await().until(() -> responses.has(put));
        })).toList();

        Patience.await().until(() -> workers.stream().noneMatch(Thread::isAlive));

        assertThat(recording.calls()).hasSize(8);
        assertThat(responses.failures()).isEmpty();
        assertThat(memory.used()).isZero();
    }

    @Test
    void partBeforeTheFirstIsAcknowledgedIsViolation() {
        assertThat(memory.tryReserve(MEMORY)).isTrue();
        RunRequests run = open(manual);

        assertThat(execute(run, "blob/part", part(1, 2000, 0, 2000, bytes(1000)))).isNull();
        assertThat(execute(run, "blob/part", part(1, 2000, 0, 2000, bytes(1000)))).isEqualTo(PartReceiver.TOO_EARLY);
    }

    @Test
    void messageWithoutMemoryFailsAfterTheTimeout() {
        RequestMemory small = new RequestMemory(3000, Duration.ofMillis(1));
        assertThat(small.tryReserve(2000)).isTrue();
        RunRequests run = new CheckpointRequests(id -> Optional.of(manual), LINE, LIMITS, small).open(UUID.randomUUID(),
                responses);

        long id = send(run, "blob/part", part(1, 2000, 0, 2000, bytes(1000)));

        Patience.await().until(() -> responses.has(id));
        assertThat(responses.get(id).at("/error/code").intValue()).isEqualTo(-32004);
        assertThat(responses.get(id).at("/error/data/retry_after_ms").intValue()).isPositive();
        assertThat(small.used()).isEqualTo(2000);
    }

    @Test
    void partsAreRetainedForRetryAfterUnavailableStorage() {
        RunRequests run = open(manual);
        sendParts(run, 1, bytes(5000));
        String put = checkpoint("[\"big\",\"1\",\"bytes\",{\"part\":0,\"size\":5000}]");
        send(run, "checkpoint/put", put);
        manual.fail(0, new RequestException(Code.STORAGE_UNAVAILABLE, "The storage is unavailable."));
        long again = send(run, "checkpoint/put", put);
        manual.complete(1);

        assertThat(responses.get(again).has("result")).isTrue();
        assertThat(memory.used()).isZero();
    }

    @Test
    void endedRunReleasesItsPartsAndRejectsRequests() {
        RunRequests run = open(manual);
        sendParts(run, 1, bytes(5000));
        assertThat(memory.used()).isPositive();

        run.close();

        assertThat(memory.used()).isZero();
        long late = send(run, "checkpoint/get", "\"ns\":\"\"");
        assertThat(responses.get(late).at("/error/data/error").textValue()).isEqualTo("RunEnded");
    }

    @Test
    void tooLargeStateIsNotStored() {
        RunRequests run = open(manual);
        String half = '"' + "x".repeat(11 << 10) + '"';
        send(run, "checkpoint/put", checkpoint("[\"a\",\"1\",\"json\"," + half + "]"));
        manual.complete(0);
        long second = send(run, "checkpoint/put", checkpoint("[\"b\",\"1\",\"json\"," + half + "]")
                .replace("\"versions\":{", "\"versions\":{\"a\":\"1\","));

        assertThat(responses.get(second).at("/error/data/error").textValue()).isEqualTo("StateTooLarge");
        assertThat(manual.calls).hasSize(1);
    }

    @Test
    void resultInPartsIsReturnedOnce() {
        RunRequests run = open(manual);
        String start = "\"request\":9,\"total\":6,\"part\":0,\"text\":\"{\\\"\u00e4\"";
        send(run, "result/part", start);
        assertThat(run.takeResult(9, 1)).isNull();

        send(run, "result/part", start);
        send(run, "result/part", "\"request\":9,\"total\":6,\"part\":1,\"text\":\"\\\":\"");
        assertThat(run.takeResult(9, 2)).isEqualTo("{\"\u00e4\":".getBytes(UTF_8));
        assertThat(run.takeResult(9, 2)).isNull();
        assertThat(memory.used()).isZero();
    }

    @Test
    void resultMayBeTwiceAsLargeAsAState() {
        RunRequests run = open(manual);
        String result = "\"request\":%s,\"total\":%s,\"part\":0,\"text\":\"x\"";
        int limit = 2 * LIMITS.stateBytes();

        long largest = send(run, "result/part", result.formatted(8, limit));
        long larger = send(run, "result/part", result.formatted(9, limit + 1));

        assertThat(responses.get(largest).has("result")).isTrue();
        assertThat(responses.get(larger).at("/error/data/error").textValue()).isEqualTo("StateTooLarge");
    }

    private RunRequests open(RequestHandler handler) {
        return new CheckpointRequests(id -> Optional.of(handler), LINE, LIMITS, memory).open(UUID.randomUUID(), responses);
    }

    private void sendParts(RunRequests run, int message, byte[] value) {
        for (int offset = 0; offset < value.length; offset += 1000) {
            byte[] piece = Arrays.copyOfRange(value, offset, Math.min(value.length, offset + 1000));
            long id = send(run, "blob/part", part(message, value.length, 0, value.length, piece));
            Patience.await().until(() -> responses.has(id));
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    private static String part(int message, int total, int part, int size, byte[] bytes) {
        return "\"message\":" + message + ",\"total\":" + total + ",\"part\":" + part + ",\"size\":" + size
                + ",\"value\":{\"base64\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}";
    }

    private static String writes(String task, String value) {
        return "\"ns\":\"\",\"id\":\"" + new UUID(1, 2) + "\",\"task\":\"" + task
                + "\",\"path\":\"\",\"writes\":[[0,\"c\",\"json\"," + value + "]]";
    }

    private static String checkpoint(String blob) {
        String channel = blob.substring(2, blob.indexOf('"', 2));
        return "\"ns\":\"\",\"id\":\"" + new UUID(1, 2)
                + "\",\"parent_id\":null,\"checkpoint\":[\"json\",\"{}\"],\"metadata\":{},"
                + "\"versions\":{\"" + channel + "\":\"1\"},\"blobs\":[" + blob + "]";
    }

    private long send(RunRequests run, String method, String params) {
        long[] id = new long[1];
        assertThat(execute(run, method, params, id)).isNull();
        return id[0];
    }

    private String execute(RunRequests run, String method, String params) {
        return execute(run, method, params, new long[1]);
    }

    private String execute(RunRequests run, String method, String params, long[] id) {
        synchronized (this) {
            id[0] = ++lastId;
        }
        byte[] json = ("{" + params + "}").getBytes(UTF_8);
        return run.execute(new Message.Call(id[0], UUID.randomUUID(), method, json, json.length));
    }
}
