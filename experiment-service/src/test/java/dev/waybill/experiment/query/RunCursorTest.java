package dev.waybill.experiment.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

class RunCursorTest {

    private static final UUID TENANT = UUID.randomUUID();
    private static final RunKey KEY = new RunKey(Instant.parse("1969-12-31T23:59:59.123456Z"), UUID.randomUUID());

    private final RunConditions question = question(UUID.randomUUID());
    private final RunCursor cursors = new RunCursor(TENANT, question, true);

    @Test
    void whatIsWrittenIsRead() {
        assertThat(cursors.read(cursors.write(KEY))).contains(KEY);
        assertThat(new RunCursor(TENANT, question, true).read(cursors.write(KEY))).contains(KEY);
    }

    @Test
    void anotherQuestionsIsNone() {
        String cursor = cursors.write(KEY);

        assertThat(new RunCursor(UUID.randomUUID(), question, true).read(cursor)).isEmpty();
        assertThat(new RunCursor(TENANT, question(UUID.randomUUID()), true).read(cursor)).isEmpty();
        assertThat(new RunCursor(TENANT, question, false).read(cursor)).isEmpty();
    }

    @Test
    void whatIsDamagedIsNone() {
        String cursor = cursors.write(KEY);
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            StringBuilder damaged = new StringBuilder(cursor);
            int at = random.nextInt(cursor.length() - 1);
            damaged.setCharAt(at, cursor.charAt(at) == 'A' ? 'B' : 'A');
            assertThat(cursors.read(damaged.toString())).as(damaged.toString()).isEmpty();
        }
        assertThat(List.of("", "x", "%%%", cursor.substring(1), cursor + "AAAA", " " + cursor))
                .allSatisfy(text -> assertThat(cursors.read(text)).isEmpty());
    }

    private static RunConditions question(UUID session) {
        return new RunConditions(List.of(session), List.of(), null, null, List.of(), null, null, null, null, null, List.of(),
                null, null);
    }
}
