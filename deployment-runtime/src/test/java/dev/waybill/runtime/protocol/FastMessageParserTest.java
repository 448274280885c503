package dev.waybill.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastMessageParserTest {

    private static final UUID RUN = UUID.fromString("01234567-89ab-7DEF-8123-456789abcdef");
    private static final String LINE = "{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + RUN
            + "\",\"mode\":\"messages\",\"data\":[{\"a\":\"b\\n\\u00e4\\\"ä€😀\", \"c\": [ -1.50e+3, 0, true,false,null]},{}, []]}}";
    private static final String NAME = ",\"checkpoint\": {\"id\": \"c\"}";
    private static final String NAMED_LINE = "{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + RUN
            + "\",\"mode\":\"values\"" + NAME + ",\"data\":{\"a\": [1]}}}";
    private static final byte[] PIECES = "{}[]\",:\\ 0159-+.eEu\t\r\n\u0001antrufls".getBytes(StandardCharsets.UTF_8);

    private final MessageReader reader = new MessageReader(1 << 20);

    @ParameterizedTest
    @ValueSource(strings = { "1", "-0.5", "1E9", "\"\"", "\"a\\\"}{b\\u00e4\"", "[]", "{}", "[[ ], { }]",
            "{ \"a\" : \"ä😀\" , \"b\":null }" })
    void usualLinesParseLikeMessageReader(String data) {
        byte[] line = line(LINE.replaceAll("\\[.*]", java.util.regex.Matcher.quoteReplacement(data)));

        assertThat(FastMessageParser.read(line, 0, line.length)).isNotNull();
        assertSame(line);
        byte[] spaced = line(new String(line, StandardCharsets.UTF_8).replace("\":", "\": ").replace(",\"", ", \"") + "  ");
        assertThat(FastMessageParser.read(spaced, 0, spaced.length)).isNotNull();
        assertSame(spaced);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "01", "1.", ".5", "-", "1e", "+1", "tru", "nul", "\"", "\"\\x\"", "\"\\u12g4\"", "[1,]",
            "[,1]", "{\"a\"}",
            "{a:1}", "{\"a\":1,}", "[1 2]", "[1}", "NaN", "\"\t\"", "[1]]" })
    void invalidJsonIsNotParsed(String data) {
        byte[] line = line("{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + RUN
                + "\",\"mode\":\"custom\",\"data\":" + data + "}}");

        assertThat(FastMessageParser.read(line, 0, line.length)).isNull();
        assertThat(reader.read(line, 0, line.length)).isInstanceOf(Message.Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(ints = { 0x80, 0xc0af, 0xc3, 0xc328, 0xe08080, 0xeda080, 0xe282, 0xf0808080, 0xf4908080, 0xf5808080, 0xff })
    void invalidUtf8IsNotParsed(int wrong) {
        byte[] line = line(LINE.replace("😀", "????"));
        int at = new String(line, StandardCharsets.ISO_8859_1).indexOf("????");
        for (int i = 0; i < 4; i++) {
            int b = wrong >>> (24 - 8 * i) & 0xff;
            line[at + i] = (byte) (b == 0 ? 'x' : b);
        }

        assertThat(FastMessageParser.read(line, 0, line.length)).isNull();
    }

    @Test
    void valuesHaveTheirCheckpoint() {
        byte[] line = line(NAMED_LINE);

        assertThat(FastMessageParser.read(line, 0, line.length).checkpoint()).asString().isEqualTo("{\"id\": \"c\"}");
        assertSame(line);
        assertSame(line(NAMED_LINE.replace("values", "custom").replace(NAME, "")));
    }

    @Test
    void longNamesOfCheckpointsAreIgnored() {
        byte[] line = line(NAMED_LINE.replace("\"c\"", "\"" + "c".repeat(MessageReader.MAX_CHECKPOINT) + "\""));

        assertThat(FastMessageParser.read(line, 0, line.length).checkpoint()).isNull();
        assertSame(line);
    }

    @RepeatedTest(20)
    void mutatedLinesParseLikeMessageReader(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int i = 0; i < 500; i++) {
            byte[] line = line(random.nextBoolean() ? LINE : NAMED_LINE);
            for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
                line[random.nextInt(line.length)] = random.nextInt(4) == 0
                        ? (byte) random.nextInt(256)
                        : PIECES[random.nextInt(PIECES.length)];
            }
            int length = random.nextInt(10) == 0 ? random.nextInt(line.length) : line.length;
            line = Arrays.copyOf(line, length);
            if (FastMessageParser.read(line, 0, line.length) != null) {
                assertSame(line);
            }
        }
    }

    @RepeatedTest(20)
    void mutatedRequestsParseLikeMessageReader(RepetitionInfo repetition) {
        reader.acceptRequests();
        Random random = new Random(repetition.getCurrentRepetition());
        byte[] request = line("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"checkpoint/batch\",\"params\": {\"run\": \"" + RUN
                + "\",\"operations\":[{\"ns\":\"\",\"checkpoint\":[\"json\",\"{\\\"v\\\":4}\"]},[-1.5, null]]}} ");
        assertThat(FastMessageParser.readRequest(request, 0, request.length)).isNotNull();
        for (int i = 0; i < 500; i++) {
            byte[] line = request.clone();
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                line[random.nextInt(line.length)] = PIECES[random.nextInt(PIECES.length)];
            }
            Message.Call taken = FastMessageParser.readRequest(line, 0, line.length);
            if (taken != null) {
                assertThat(reader.parse(line, 0, line.length)).usingRecursiveComparison().isEqualTo(taken);
            }
        }
    }

    @Test
    void lastCheckpointsHaveNoId() {
        reader.acceptRequests();
        byte[] usual = line(
                "{\"jsonrpc\":\"2.0\",\"method\":\"checkpoint/last\",\"params\":{\"run\":\"" + RUN + "\",\"operations\":[]}}");
        byte[] other = line("{\"params\":{\"operations\":[],\"run\":\"" + RUN + "\"},\"method\":\"checkpoint/last\"}");

        Message.Call taken = FastMessageParser.readRequest(usual, 0, usual.length);

        assertThat(taken).isNotNull();
        assertThat(taken.hasResponse()).isFalse();
        assertThat(reader.parse(usual, 0, usual.length)).usingRecursiveComparison().isEqualTo(taken);
        assertThat(reader.read(other, 0, other.length)).isInstanceOfSatisfying(Message.Call.class,
                call -> assertThat(call.hasResponse()).isFalse());
    }

    private void assertSame(byte[] line) {
        Message.Event taken = FastMessageParser.read(line, 0, line.length);
        assertThat(taken).isNotNull();
        assertThat(reader.parse(line, 0, line.length)).as(new String(line, StandardCharsets.UTF_8))
                .isInstanceOfSatisfying(Message.Event.class, event -> {
                    assertThat(event.run()).isEqualTo(taken.run());
                    assertThat(event.mode()).isEqualTo(taken.mode());
                    assertThat(event.namespace()).isEqualTo(taken.namespace());
                    assertThat(event.data()).isEqualTo(taken.data());
                    assertThat(event.checkpoint()).isEqualTo(taken.checkpoint());
                    assertThat(event.cost()).isEqualTo(taken.cost());
                });
    }

    private static byte[] line(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
