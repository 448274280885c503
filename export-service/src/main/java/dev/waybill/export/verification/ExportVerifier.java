package dev.waybill.export.verification;

import java.util.stream.IntStream;

import jakarta.inject.Singleton;

import dev.waybill.export.storage.ObjectStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Compares an export with its bucket: the manifest, all files, then a search for unexpected objects. */
@Singleton
class ExportVerifier {

    private static final int MAX_CONCURRENT_FILES = 2;

    private final ManifestVerifier manifests;
    private final FileVerifier files;
    private final BucketSearch search;

    ExportVerifier(ManifestVerifier manifests, FileVerifier files, BucketSearch search) {
        this.manifests = manifests;
        this.files = files;
        this.search = search;
    }

    /**
     * Verifies the export. Fails if the store does not return the objects.
     *
     * @param checked results of earlier attempts, to which those of this attempt are added
     */
    Uni<VerificationOutcome> verify(ObjectStore store, ExpectedExport export, CheckedFiles checked) {
        return manifests.verify(store, export)
                .call(() -> verifyFiles(store, export, checked))
                .chain(manifest -> search.search(store, export)
                        .map(found -> VerificationOutcome.of(export, manifest, checked.checkpoint(), found)));
    }

    private Uni<Void> verifyFiles(ObjectStore store, ExpectedExport export, CheckedFiles checked) {
        int first = checked.checkpoint().files();
        return Multi.createFrom().items(IntStream.range(first, export.files().size()).boxed())
                .onItem().transformToUni(index -> files.verify(store, export, index))
                .merge(MAX_CONCURRENT_FILES)
                .onItem().invoke(checked::add)
                .collect().last()
                .replaceWithVoid();
    }
}
