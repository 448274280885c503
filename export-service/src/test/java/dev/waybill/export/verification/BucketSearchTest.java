package dev.waybill.export.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStore.ListedObject;
import dev.waybill.export.storage.ObjectStore.ObjectPage;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.verification.BucketSearch.SearchResult;
import io.smallrye.mutiny.Uni;

class BucketSearchTest {

    private static final ExpectedExport EXPORT = new ExpectedExport(new ManifestInput(new UUID(0, 1), Instant.EPOCH,
            Instant.EPOCH, new ExportLayout("", new UUID(0, 2), new UUID(0, 3), new UUID(0, 4), FormatVersion.V1),
            ExportSchema.named(null, FormatVersion.V1), "none", null, List.of(), 0, Instant.EPOCH, 0), 0);
    private static final ListedObject UNEXPECTED = new ListedObject("unexpected", 1);

    @Test
    void objectsOfAllPagesAreFound() {
        SearchResult result = search(token -> token == null ? page("1") : page(null));

        assertThat(result.listed()).isTrue();
        assertThat(result.unexpected().total()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = { "ACCESS_DENIED", "NOT_SUPPORTED" })
    void objectsBeforeDeniedPageAreKept(StorageProblem problem) {
        SearchResult result = search(token -> {
            if (token == null) {
                return page("1");
            }
            throw new StorageException(problem, "");
        });

        assertThat(result.listed()).isFalse();
        assertThat(result.unexpected().first()).extracting(ObjectMismatch::path).containsExactly("unexpected");
    }

    @Test
    void repeatedTokenIsNotListed() {
        SearchResult result = search(token -> "1".equals(token) ? page("2") : page("1"));

        assertThat(result.listed()).isFalse();
        assertThat(result.unexpected().total()).isPositive();
    }

    @Test
    void endlessEmptyPagesAreNotListed() {
        SearchResult result = search(token -> new ObjectPage(List.of(), token + "x"));

        assertThat(result.listed()).isFalse();
    }

    @Test
    void unavailableStoreFailsTheSearch() {
        assertThatThrownBy(() -> search(token -> {
            throw new StorageException(StorageProblem.UNAVAILABLE, "");
        })).isInstanceOf(StorageException.class);
    }

    private static ObjectPage page(@Nullable String nextToken) {
        return new ObjectPage(List.of(UNEXPECTED), nextToken);
    }

    /** Searches a store whose list returns the page of each token. */
    private static SearchResult search(Function<@Nullable String, ObjectPage> pages) {
        ObjectStore store = (ObjectStore) Proxy.newProxyInstance(ObjectStore.class.getClassLoader(),
                new Class<?>[] { ObjectStore.class }, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("list");
                    return Uni.createFrom().item(() -> pages.apply((String) arguments[1]));
                });
        return new BucketSearch().search(store, EXPORT).await().atMost(Duration.ofMinutes(1));
    }
}
