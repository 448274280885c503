package dev.waybill.runtime.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

class JsonStringsTest {

    private static final String[] PIECES = { "", "a", "text of some length", "ä", "€", "😀", "\\\"", "\\\\", "\\/", "\\b",
            "\\f", "\\n", "\\r",
            "\\t", "\\u0041", "\\u00e4", "\\u20AC", "\\ud83d\\ude00", "\\u0000" };

    @RepeatedTest(20)
    void decodesLikeTheParser(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        ObjectMapper mapper = new ObjectMapper();
        for (int i = 0; i < 100; i++) {
            StringBuilder json = new StringBuilder("\"");
            for (int count = random.nextInt(8); count > 0; count--) {
                json.append(PIECES[random.nextInt(PIECES.length)]);
            }
            String text = json.append('"').toString();

            byte[] decoded = JsonStrings.utf8(text.getBytes(UTF_8), 1);

            assertThat(decoded).as(text).isEqualTo(mapper.readValue(text, String.class).getBytes(UTF_8));
        }
    }

    @Test
    void loneSurrogatesBecomeQuestionMarks() {
        byte[] json = "\"a\\ud83d\\u0041\\ude00b\\ud83d\"".getBytes(UTF_8);

        assertThat(new String(JsonStrings.utf8(json, 1), UTF_8)).isEqualTo("a?A?b?");
    }
}
