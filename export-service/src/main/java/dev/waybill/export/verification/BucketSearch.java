package dev.waybill.export.verification;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.MismatchKind;
import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStore.ListedObject;
import dev.waybill.export.storage.ObjectStore.ObjectPage;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Searches the folder of an export for objects that the export did not write. */
@Singleton
class BucketSearch {

    /** Limits the search if another program writes to the folder, or if the store returns pages without end. */
    private static final int MAX_UNEXPECTED = 1_000_000;
    private static final int MAX_EMPTY_PAGES = 1_000;
    private static final int MAX_PAGES = 100_000;

    /**
     * Returns the unexpected objects, and whether the list was read completely: credentials may not permit listing, and a
     * store may not support it.
     */
    Uni<SearchResult> search(ObjectStore store, ExpectedExport export) {
        return Uni.createFrom().deferred(() -> {
            Search search = new Search(export);
            return Multi.createBy().repeating()
                    .uni(() -> store.list(export.layout().exportFolder(), search.token).invoke(search::add))
                    .whilst(page -> search.hasMore())
                    .collect().last()
                    .map(last -> !search.isStopped())
                    .onFailure(BucketSearch::isNotPermitted).recoverWithItem(false)
                    .map(listed -> new SearchResult(listed, search.mismatches));
        });
    }

    private static boolean isNotPermitted(Throwable failure) {
        return failure instanceof StorageException storage && (storage.problem() == StorageProblem.ACCESS_DENIED
                || storage.problem() == StorageProblem.NOT_SUPPORTED);
    }

    /**
     * The result of a search.
     *
     * @param listed whether the bucket was listed completely
     * @param unexpected the objects found, also if the list is incomplete
     */
    record SearchResult(boolean listed, Mismatches unexpected) {
    }

    /** The state of a search, page by page. */
    private static final class Search {

        private final Set<String> expected = new HashSet<>();
        private Mismatches mismatches = Mismatches.NONE;
        private final Set<String> tokens = new HashSet<>();
        private int emptyPages;
        private volatile @Nullable String token;

        private Search(ExpectedExport export) {
            expected.add(export.layout().manifest());
            export.files().forEach(file -> expected.add(file.path()));
        }

        private void add(ObjectPage page) {
            List<ObjectMismatch> unexpected = page.objects().stream()
                    .filter(object -> !expected.contains(object.key()) && !isFolder(object))
                    .map(object -> new ObjectMismatch(object.key(), MismatchKind.UNEXPECTED,
                            "The export did not write the object.", null, object.size(), null, null))
                    .toList();
            mismatches = mismatches.plus(new Mismatches(unexpected.stream().limit(Mismatches.MAX_LISTED).toList(),
                    unexpected.size()));
            emptyPages += page.objects().isEmpty() ? 1 : 0;
            String next = page.nextToken();
            if (next != null && !tokens.add(next)) {
                throw new StorageException(StorageProblem.NOT_SUPPORTED, "the store returns the token of an earlier page");
            }
            token = next;
        }

        private boolean hasMore() {
            return token != null && mismatches.total() < MAX_UNEXPECTED && !isStopped();
        }

        private boolean isStopped() {
            return token != null && (emptyPages >= MAX_EMPTY_PAGES || tokens.size() >= MAX_PAGES);
        }

        // Consoles of stores create empty objects in place of folders.
        private static boolean isFolder(ListedObject object) {
            return object.size() == 0 && object.key().endsWith("/");
        }
    }
}
