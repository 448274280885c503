package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.export.storage.ObjectStore.CompletedUpload;
import dev.waybill.export.storage.ObjectStore.IncompleteUpload;
import dev.waybill.export.storage.ObjectStore.ListedObject;
import dev.waybill.export.storage.ObjectStore.ObjectPage;
import dev.waybill.export.storage.ObjectStore.ObjectRange;
import dev.waybill.export.storage.ObjectStore.StoredObject;
import io.smallrye.mutiny.Uni;

/** Tests of what exports require of a store; a new type of store extends this class. */
public abstract class ObjectStoreContract {

    protected static final int PART = MultipartOutputStream.SMALL_PART;

    protected final String key = "exports/" + UUID.randomUUID() + "/part-00000.parquet";
    protected ObjectStore store;

    /** Opens the tested store; every call opens the same objects and uploads, like another process. */
    protected abstract ObjectStore open();

    /** Returns the content of a visible object, bypassing the store. */
    protected abstract byte[] content(String objectKey) throws IOException;

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void smallObjectsAreWrittenReadAndDeleted() {
        byte[] content = "{\"rows\": 3}".getBytes(StandardCharsets.UTF_8);

        await(store.put(key, content, "application/json"));

        assertThat(await(store.get(key, 100))).isEqualTo(content);
        assertThat(await(store.head(key))).map(StoredObject::size).contains((long) content.length);
        await(store.delete(key));
        await(store.delete(key));
        assertThat(await(store.head(key))).isEmpty();
    }

    /** The manifest is written again if the service was killed after the first time. */
    @Test
    void putReplacesTheObject() throws IOException {
        await(store.put(key, random(1000), "application/json"));

        await(store.put(key, random(10), "application/json"));

        assertThat(content(key)).isEqualTo(random(10));
    }

    @Test
    void missingAndLargeObjectsAreNotRead() {
        assertFails(store.get(key, 100), StorageProblem.NO_SUCH_OBJECT, true);
        await(store.put(key, random(101), "text/plain"));

        assertFails(store.get(key, 100), StorageProblem.CONTENT_MISMATCH, true);
    }

    @Test
    void objectsAreReadInRanges() {
        byte[] content = random(1000);
        await(store.put(key, content, "text/plain"));

        assertThat(await(store.getRange(key, 0, 1000)).content()).isEqualTo(content);
        ObjectRange end = await(store.getRange(key, 900, 500));
        assertThat(end.content()).isEqualTo(Arrays.copyOfRange(content, 900, 1000));
        assertThat(end.size()).isEqualTo(1000);
        ObjectRange behind = await(store.getRange(key, 1000, 1));
        assertThat(behind.content()).isEmpty();
        assertThat(behind.size()).isZero();
        assertFails(store.getRange(key + "x", 0, 1), StorageProblem.NO_SUCH_OBJECT, true);
        await(store.put(key, new byte[0], "text/plain"));
        assertThat(await(store.getRange(key, 0, 10)).size()).isZero();
    }

    @Test
    void objectsBelowAPrefixAreListedInPages() {
        String folder = key.substring(0, key.lastIndexOf('/') + 1);
        for (int i = 0; i < 5; i++) {
            await(store.put(folder + "day=" + i + "/ä &+%", random(i), "text/plain"));
        }

        List<ListedObject> found = new ArrayList<>();
        String token = null;
        do {
            ObjectPage page = await(store.list(folder, token));
            found.addAll(page.objects());
            token = page.nextToken();
        } while (token != null);

        assertThat(found).containsExactlyElementsOf(IntStream.range(0, 5)
                .mapToObj(i -> new ListedObject(folder + "day=" + i + "/ä &+%", i)).toList());
        assertThat(await(store.list(folder + "nothing/", null)).objects()).isEmpty();
    }

    @Test
    void objectIsInvisibleUntilCompletion() throws IOException {
        byte[] content = random(2 * PART + 12_345);

        PreparedUpload prepared = upload(content);

        assertThat(await(store.head(key))).isEmpty();
        CompletedUpload completed = await(store.complete(prepared));
        assertThat(completed.verified()).isTrue();
        assertThat(await(store.head(key))).map(StoredObject::size).contains((long) content.length);
        assertThat(prepared.size()).isEqualTo(content.length);
        assertThat(prepared.sha256()).isEqualTo(sha256(content));
        assertThat(sha256(content(key))).isEqualTo(prepared.sha256());
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 100, PART - 1, PART, PART + 1 })
    void objectsOfEverySizeArriveComplete(int size) throws IOException {
        byte[] content = random(size);

        await(store.complete(upload(content)));

        assertThat(sha256(content(key))).isEqualTo(sha256(content));
    }

    /** The commit record is all that another replica knows. */
    @Test
    void otherProcessCompletesUploadOfKilledWriter() throws IOException {
        byte[] content = random(PART + 1);
        PreparedUpload prepared = upload(content);

        try (ObjectStore other = open()) {
            assertThat(await(other.complete(prepared)).verified()).isTrue();
        }

        assertThat(content(key)).isEqualTo(content);
        assertThat(await(store.listUploads("exports/"))).extracting(IncompleteUpload::key).doesNotContain(key);
    }

    @Test
    void completionIsIdempotent() throws IOException {
        PreparedUpload prepared = upload(random(PART + 1));
        await(store.complete(prepared));

        try (ObjectStore other = open()) {
            assertThat(await(other.complete(prepared)).verified()).isTrue();
        }
        assertThat(await(store.complete(prepared)).verified()).isTrue();
    }

    @Test
    void missingUploadDiffersFromCompletedUpload() throws IOException {
        PreparedUpload prepared = upload(random(1000));
        await(store.abort(prepared.key(), prepared.uploadId()));

        assertFails(store.complete(prepared), StorageProblem.UPLOAD_GONE, false);

        await(store.put(key, new byte[1000], "text/plain"));
        assertFails(store.complete(prepared), StorageProblem.UPLOAD_GONE, false);
    }

    @Test
    void uploadOfAnotherSizeIsDeletedAndFails() throws IOException {
        PreparedUpload prepared = upload(random(1000));
        PreparedUpload larger = new PreparedUpload(key, prepared.uploadId(), prepared.token(), 1001, prepared.sha256());

        assertFails(store.complete(larger), StorageProblem.CONTENT_MISMATCH, true);

        assertThat(await(store.head(key))).isEmpty();
    }

    @Test
    void closeWithoutFinishAbortsTheUpload() throws IOException {
        try (MultipartOutputStream out = store.upload(key)) {
            out.write(random(PART + 1));
            assertThat(out.uploadId()).isPresent();
        }

        assertThat(await(store.listUploads("exports/"))).extracting(IncompleteUpload::key).doesNotContain(key);
    }

    @Test
    void incompleteUploadsAreListed() throws IOException {
        PreparedUpload prepared = upload(random(10));

        assertThat(await(store.listUploads("exports/"))).extracting(IncompleteUpload::key, IncompleteUpload::uploadId)
                .contains(tuple(key, prepared.uploadId()));

        await(store.abort(key, prepared.uploadId()));
        await(store.abort(key, prepared.uploadId()));
    }

    /** The cleanup removes what a killed worker left, and nothing of other exports. */
    @Test
    void otherProcessAbortsUploadsOfOneFolder() throws IOException {
        PreparedUpload left = upload(random(PART + 1));
        PreparedUpload others = upload("exports/" + UUID.randomUUID() + "/part-00000.parquet", random(10));

        try (ObjectStore other = open()) {
            String folder = key.substring(0, key.lastIndexOf('/') + 1);
            for (IncompleteUpload upload : await(other.listUploads(folder))) {
                await(other.abort(upload.key(), upload.uploadId()));
            }
        }

        assertFails(store.complete(left), StorageProblem.UPLOAD_GONE, false);
        assertThat(await(store.complete(others)).verified()).isTrue();
    }

    protected PreparedUpload upload(byte[] content) throws IOException {
        return upload(key, content);
    }

    private PreparedUpload upload(String objectKey, byte[] content) throws IOException {
        try (MultipartOutputStream out = store.upload(objectKey)) {
            out.write(content);
            return out.finishParts();
        }
    }

    protected static void assertFails(Uni<?> call, StorageProblem problem, boolean permanent) {
        assertThatThrownBy(() -> await(call)).isInstanceOfSatisfying(StorageException.class, e -> {
            assertThat(e.problem()).as(e.toString()).isEqualTo(problem);
            assertThat(e.isPermanent()).isEqualTo(permanent);
            assertThat(e.getMessage()).doesNotContain("proxy");
        });
    }

    protected static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(2));
    }

    protected static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    protected static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
