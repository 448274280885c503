package dev.waybill.export.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.problem.Violation;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.ExportSchema;

/** Any export_fields value results in exactly those columns, or in a violation for each unknown name. */
class ExportFieldsFuzzTest {

    private static final Logger LOG = Logger.getLogger(ExportFieldsFuzzTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

    private static final List<String> KNOWN = Stream.of(ExportField.values()).map(ExportField::wireName)
            .filter(name -> ExportField.of(name).isPresent())
            .toList();

    /** Columns that are not exportable, misspelled fields, and names with a meaning in SQL. */
    private static final List<String> HOSTILE = List.of("received_at", "modified_at", "serialized", "xmin", "ctid", "*",
            "runs.id",
            "ID", "Id", " id", "id ", "id\n", "id\0", "i\u0131d", "\u0131d", "id,name", "id--", "id; DROP TABLE trace.runs",
            "\"id\"", "'id'", "id::text", "(SELECT 1)", "$1", "$$", "{run}", "%s", "?", "", "null", "0", "-1", "__proto__",
            "year", "month", "day", "resource", "export_id", "\ud800", "😀", "x".repeat(100_000));

    private final Random random = new Random(SEED);
    private final CreateBulkExportValidator rules = new CreateBulkExportValidator(end -> Optional.empty(),
            start -> Optional.empty());

    @Test
    void everyNameIsAColumnOrAViolation() {
        LOG.infof("-Dwaybill.test.seed=%s repeats this", SEED);
        int taken = 0;
        for (int i = 0; i < 5_000; i++) {
            taken += check(names(random.nextInt(4) == 0)) ? 1 : 0;
        }
        assertThat(taken).as("accepted lists").isBetween(500, 4_500);
    }

    @Test
    void hugeListIsRejectedWithBoundedResponse() {
        // When
        List<Violation> violations = rules.violations(request(Collections.nCopies(1_000_000, "id")), Set.of());

        // Then
        assertThat(violations).hasSize(999).allSatisfy(
                violation -> assertThat(violation.type()).isEqualTo("repeated"));
    }

    private List<String> names(boolean mayBeWrong) {
        List<String> names = new ArrayList<>(KNOWN);
        Collections.shuffle(names, random);
        names = new ArrayList<>(names.subList(0, 1 + random.nextInt(names.size())));
        for (int n = mayBeWrong ? random.nextInt(1, 4) : 0; n > 0; n--) {
            names.add(random.nextInt(names.size() + 1), random.nextInt(3) == 0
                    ? names.get(random.nextInt(names.size()))
                    : random.nextInt(3) == 0 ? randomText() : HOSTILE.get(random.nextInt(HOSTILE.size())));
        }
        return names;
    }

    private String randomText() {
        return IntStream.range(0, random.nextInt(20))
                .mapToObj(_ -> String.valueOf((char) random.nextInt(random.nextBoolean() ? 128 : 0x10000)))
                .collect(Collectors.joining());
    }

    private boolean check(List<String> names) {
        List<Integer> wrong = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (!Set.copyOf(KNOWN).contains(names.get(i)) || names.subList(0, i).contains(names.get(i))) {
                wrong.add(i);
            }
        }
        if (wrong.isEmpty()) {
            assertThat(rules.violations(request(names), Set.of())).isEmpty();
            ExportSpec order = rules.spec(request(names));
            ExportSchema schema = ExportSchema.named(order.exportFields(), order.version());
            assertThat(schema.columns()).extracting(ExportSchema.Column::name).isEqualTo(names);
            return true;
        }
        List<Violation> violations = rules.violations(request(names), Set.of());
        assertThat(violations).as("seed %s", SEED).extracting(Violation::loc)
                .isEqualTo(wrong.stream().map(index -> List.<Object> of("export_fields", index)).toList());
        for (Violation violation : violations) {
            String name = names.get((int) violation.loc().get(1));
            assertThat(violation.message()).contains(name.length() <= 100 ? name : name.substring(0, 100) + "…");
            assertThat(violation.message().length()).isLessThan(200);
        }
        return false;
    }

    private static CreateBulkExportRequest request(List<String> names) {
        return new CreateBulkExportRequest(new UUID(0, 1), new UUID(0, 2), START, START.plusSeconds(60), null, null, names,
                null,
                null, null);
    }

    @Test
    void hostileNamesAreNotFields() {
        assertThat(Stream.concat(HOSTILE.stream(), Stream.of("credentials"))).allSatisfy(
                name -> assertThat(ExportField.of(name)).isEmpty());
    }
}
