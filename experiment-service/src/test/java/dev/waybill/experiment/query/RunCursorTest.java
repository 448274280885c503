package dev.waybill.experiment.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

class RunCursorTest {

    private static final UUID TENANT = UUID.randomUUID();
    private static final RunCursor.RunKey KEY = new RunCursor.RunKey(Instant.parse("1969-12-31T23:59:59.123456Z"),
            UUID.randomUUID());

    private final RunQueryParser.Conditions conditions = conditions(UUID.randomUUID());
    private final RunCursor cursors = new RunCursor(TENANT, conditions, true);

    @Test
    void encodedCursorIsDecoded() {
        assertThat(cursors.decode(cursors.encode(KEY))).contains(KEY);
        assertThat(new RunCursor(TENANT, conditions, true).decode(cursors.encode(KEY))).contains(KEY);
    }

    @Test
    void cursorOfAnotherQueryIsRejected() {
        String cursor = cursors.encode(KEY);

        assertThat(new RunCursor(UUID.randomUUID(), conditions, true).decode(cursor)).isEmpty();
        assertThat(new RunCursor(TENANT, conditions(UUID.randomUUID()), true).decode(cursor)).isEmpty();
        assertThat(new RunCursor(TENANT, conditions, false).decode(cursor)).isEmpty();
    }

    @Test
    void damagedCursorIsRejected() {
        String cursor = cursors.encode(KEY);
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            StringBuilder damaged = new StringBuilder(cursor);
            int index = random.nextInt(cursor.length() - 1);
            damaged.setCharAt(index, cursor.charAt(index) == 'A' ? 'B' : 'A');
            assertThat(cursors.decode(damaged.toString())).as(damaged.toString()).isEmpty();
        }
        assertThat(List.of("", "x", "%%%", cursor.substring(1), cursor + "AAAA", " " + cursor))
                .allSatisfy(text -> assertThat(cursors.decode(text)).isEmpty());
    }

    private static RunQueryParser.Conditions conditions(UUID session) {
        return new RunQueryParser.Conditions(List.of(session), List.of(), null, null, List.of(), null, null, null, null, null,
                List.of(),
                null, null);
    }
}
