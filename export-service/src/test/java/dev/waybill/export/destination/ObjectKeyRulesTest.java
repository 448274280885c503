package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.storage.ObjectSettings;

/** Threat T6: any prefix or bucket is either rejected or remains one plain prefix of every key. */
class ObjectKeyRulesTest {

    private static final long SEED = 20261121;
    private static final int MAX_KEY_BYTES = 1024;
    private static final List<String> PIECES = List.of("/", "//", "..", ".", "../", "a", "b", "Team-1", "=", "tenant_id=",
            "x=1",
            "export_id=", "day=1", "YEAR=2026", "%2e", "%2F", "?", "#", "&", "\\", "\r\n", "\n", "\t", "\0", " ", ":", ";", "*",
            "~",
            "ü", "\u202e", "\u2025", "\uff0f", "X-Amz-Acl: public-read", "_manifest.json", "resource=runs", "'", "(", ")", "+",
            "@",
            ",", "!", "{", "<", "\"", "|", "$", "^", "`");
    private static final Set<String> PARTITIONS = Set.of("export_id", "tenant_id", "session_id", "resource", "year", "month",
            "day");

    private static ValidatorFactory factory;
    private static Validator validator;

    @BeforeAll
    static void open() {
        factory = Validation.buildDefaultValidatorFactory();
        validator = factory.getValidator();
    }

    @AfterAll
    static void close() {
        factory.close();
    }

    @Test
    void acceptedPrefixesStartEveryKey() {
        Random random = new Random(SEED);
        List<String> passed = IntStream.range(0, 20_000)
                .mapToObj(i -> text(random))
                .filter(prefix -> violations("acme", prefix).isEmpty())
                .toList();

        assertThat(passed).hasSizeGreaterThan(200).allSatisfy(text -> {
            String prefix = location("acme", text).prefix();
            assertThat(prefix).doesNotMatch("(?s).*\\p{Cntrl}.*").doesNotStartWith("/").doesNotEndWith("/")
                    .doesNotContain("//");
            // No reader detects other partitions in it.
            assertThat(prefix.split("/")).doesNotContain("..", ".").noneSatisfy(
                    name -> assertThat(name.toLowerCase(Locale.ROOT)).matches("(" + String.join("|", PARTITIONS) + ")=.*"));
            assertKeysStayBelow(prefix);
        });
    }

    @ParameterizedTest
    @MethodSource
    void foldersNamedLikeColumnsOrPartitionsAreRejected(String name) {
        assertThat(messages(name + "=x")).singleElement().asString().contains(" " + name + "=;");
        assertThat(messages("a/" + name.toUpperCase(Locale.ROOT) + "=/b")).singleElement().asString()
                .contains(" " + name + "=;");
        assertThat(messages(name + "/x=" + name + "/my" + name + "=1/" + name + "2=1")).isEmpty();
    }

    static Stream<String> foldersNamedLikeColumnsOrPartitionsAreRejected() {
        return Stream.concat(PARTITIONS.stream(), ExportField.defaults().stream().map(ExportField::wireName)).distinct();
    }

    @Test
    void errorListsEveryInvalidFolder() {
        assertThat(messages("day=1/team=search/name=x/day=2")).singleElement().asString().contains(" day=, name=;");
    }

    /** The bucket's name can be the first folder. */
    @Test
    void bucketsNamedLikePartitionsAreRejected() {
        assertThat(PARTITIONS).allSatisfy(name -> assertThat(violations(name + "=x", "")).isNotEmpty());
    }

    @Test
    void maximumLengthsFitIntoAKey() {
        String longest = "p".repeat(512);
        String bucket = "b".repeat(63);

        assertThat(violations(bucket, longest)).isEmpty();
        assertThat(violations(bucket, longest + "p")).isNotEmpty();
        assertThat(violations(bucket, "ü".repeat(256))).isEmpty();
        assertThat(violations(bucket, "ü".repeat(256) + "p")).isNotEmpty();
        assertThat(violations(bucket, "\ud83d\ude00".repeat(129))).isNotEmpty();
        assertThat(violations(bucket, "\ud83d")).isNotEmpty();
        assertThat(violations("b".repeat(64), "")).isNotEmpty();
        for (FormatVersion version : FormatVersion.values()) {
            String key = layout(new Bucket("s3", bucket, longest, null, null, true, ObjectSettings.DEFAULTS).keyPrefix(),
                    version)
                    .file(Instant.parse("2026-12-31T00:00:00Z"), 99_999);
            assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(MAX_KEY_BYTES);
        }
    }

    /** Regular expressions that backtrack over long texts would allow denial of service. */
    @ParameterizedTest
    @ValueSource(strings = { "a/", "a", "a=", "/", "..", "a.", "export_id=/" })
    void longTextsAreRejectedQuickly(String piece) {
        String text = piece.repeat(200_000) + "\n";

        assertThat(violations("acme", text)).isNotEmpty();
        assertThat(violations(text, "")).isNotEmpty();
    }

    private static void assertKeysStayBelow(String prefix) {
        String keyPrefix = new Bucket("s3", "acme", prefix, null, null, false, ObjectSettings.DEFAULTS).keyPrefix();
        for (FormatVersion version : FormatVersion.values()) {
            ExportLayout layout = layout(keyPrefix, version);
            String own = keyPrefix + "export_id=" + layout.exportId() + "/tenant_id=" + layout.tenantId() + "/session_id="
                    + layout.sessionId() + "/";
            assertThat(List.of(layout.manifest(), layout.file(Instant.EPOCH, 0)))
                    .allSatisfy(key -> assertThat(key).startsWith(own)
                            .satisfies(
                                    whole -> assertThat(whole.getBytes(StandardCharsets.UTF_8))
                                            .hasSizeLessThan(MAX_KEY_BYTES)));
        }
    }

    private static ExportLayout layout(String prefix, FormatVersion version) {
        return new ExportLayout(prefix, UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), version);
    }

    private static String text(Random random) {
        return IntStream.range(0, 1 + random.nextInt(5))
                .mapToObj(i -> PIECES.get(random.nextInt(PIECES.size())))
                .collect(Collectors.joining());
    }

    private static List<String> messages(String prefix) {
        return violations("acme", prefix).stream().map(ConstraintViolation::getMessage).toList();
    }

    private static Set<ConstraintViolation<BucketLocation>> violations(String bucket, String prefix) {
        return validator.validate(location(bucket, prefix));
    }

    private static BucketLocation location(String bucket, String prefix) {
        return new BucketLocation(bucket, prefix, "eu-central-1", null, null, null, null);
    }
}
