package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.TestSourceConfig;

/** Trees that git can store but no file system can contain: rejected immediately and never retried. */
class MalformedTreesTest {

    private static final String FILE = "100644";
    private static final String LINK = "120000";
    private static final String FOLDER = "40000";
    private static final String SUBMODULE = "160000";

    @TempDir
    private Path directory;
    private TestRepository repository;

    @BeforeEach
    void create() throws IOException {
        repository = TestRepository.in(directory.resolve("repository.git"));
    }

    @AfterEach
    void close() {
        repository.close();
    }

    static Stream<Arguments> pairs() {
        List<String> kinds = List.of(FILE, LINK, FOLDER, SUBMODULE);
        return kinds.stream().flatMap(first -> kinds.stream().map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void duplicateEntriesAreRejected(String first, String second) throws IOException {
        // Given
        String commit = repository.commitOfTree(tree(entry(first, "a"), entry(second, "a")));

        // When
        SourceException exception = checkout(commit);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("two files with the same name").hasMessageContaining("\"a\"");
    }

    static Stream<Arguments> damaged() {
        return Stream.of(Arguments.of("a file that is a folder", FILE, FOLDER),
                Arguments.of("a folder that is a file", FOLDER, FILE),
                Arguments.of("a link that is a folder", LINK, FOLDER),
                Arguments.of("a mode of no kind", "70000", FILE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damaged")
    void entriesWithWrongModeAreRejected(String name, String mode, String object) throws IOException {
        // Given
        String commit = repository.commitOfTree(tree(entry(mode, "a", object)));

        // When
        SourceException exception = checkout(commit);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("is corrupt at \"a\"");
    }

    @Test
    void truncatedTreeIsRejected() throws IOException {
        // Given
        byte[] whole = tree(entry(FILE, "a"));
        byte[] cut = Arrays.copyOf(whole, whole.length - 5);

        // When
        SourceException exception = checkout(repository.commitOfTree(cut));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("is corrupt at");
    }

    @Test
    void tooLongLinkTargetIsRejected() throws IOException {
        // Given
        String commit = repository.link("a", "x/".repeat(2048)).commit();

        // When
        SourceException exception = checkout(commit);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("link a is too long");
    }

    private SourceException checkout(String commit) {
        return catchThrowableOfType(SourceException.class, () -> TestSourceConfig.usual().repositories()
                .checkout("file://" + directory.resolve("repository.git"), commit, null, directory.resolve("out")));
    }

    private byte[] entry(String mode, String name) throws IOException {
        return entry(mode, name, mode);
    }

    private byte[] entry(String mode, String name, String object) throws IOException {
        ObjectId id = object.equals(FOLDER) ? repository.tree(new byte[0]) : repository.blob("target");
        byte[] raw = new byte[20];
        id.copyRawTo(raw, 0);
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        entry.write((mode + " " + name + "\0").getBytes(StandardCharsets.UTF_8));
        entry.write(raw);
        return entry.toByteArray();
    }

    private static byte[] tree(byte[]... entries) throws IOException {
        ByteArrayOutputStream tree = new ByteArrayOutputStream();
        for (byte[] entry : entries) {
            tree.write(entry);
        }
        return tree.toByteArray();
    }
}
