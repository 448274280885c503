package dev.waybill.export.lake;

import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.job.Lease;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.iceberg.LakeCatalog;
import dev.waybill.export.lake.iceberg.ObjectFileIO;
import dev.waybill.export.lake.iceberg.PublishedFile;
import dev.waybill.export.storage.ObjectStore;
import io.quarkus.arc.Arc;
import io.quarkus.test.junit.TestProfile;

/** Requests and intervals of publications while many days are published one after another. */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class PublicationBacklogTest {

    private EngineFixture fixture;
    private LakeWorkspace workspace;

    @BeforeEach
    void open() {
        fixture = EngineFixture.create();
        workspace = fixture.workspace();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void requestsOfAPublicationDoNotGrowWithTheBacklog() {
        // Given
        workspace.withRuns(3).assertCompacted(fixture.bucket(), DAY);
        List<PublishedFile> files = copies(26);
        workspace.leaseTable();
        Traces.execute("UPDATE lake.tables SET lease_until = now() + interval '1 hour' WHERE tenant_id = ?",
                workspace.tenantId());

        // When
        for (int i = 1; i < files.size(); i++) {
            publish(workspace.store(), files.subList(0, i), i);
        }
        AtomicInteger reads = new AtomicInteger();
        publish(countingReads(workspace.store(), reads), files, files.size());

        // Then: the metadata, the current list of manifests, at most ten manifests, and the footer of the new file
        assertThat(fixture.engine().table().snapshots()).hasSize(files.size());
        assertThat(reads).hasValueLessThan(16);
        assertThat(fixture.engine().files()).hasSize(files.size());
    }

    @Test
    void tableWithManySnapshotsIsPublishedLessOften() {
        // Given
        workspace.withRuns(1);
        workspace.assertCompacted(fixture.bucket(), DAY);
        workspace.publishNow(Duration.ZERO);
        assertThat(isDelayed()).isFalse();
        PublicationService publications = Arc.container().instance(PublicationService.class).get();
        Lease lease = workspace.leaseTable();

        // When
        ReactiveDatabase.await(publications.record(ReactiveDatabase.await(publications.begin(lease)), List.of(), 12, null));
        Traces.execute("UPDATE lake.tables SET due_at = now() WHERE tenant_id = ?", workspace.tenantId());

        // Then
        assertThat(isDelayed()).isTrue();
        ReactiveDatabase.await(Arc.container().instance(Database.class).get()
                .everyWorkspace(connection -> publications.leases().claim(connection, "test", Duration.ofMillis(1), 1000)))
                .forEach(claimed -> assertThat(claimed.tenantId()).isNotEqualTo(workspace.tenantId()));
    }

    private List<PublishedFile> copies(int count) {
        PublishedFile file = ReactiveDatabase.await(
                Arc.container().instance(PublicationService.class).get().files(workspace.tenantId())).files().getFirst();
        byte[] content = ReactiveDatabase.await(workspace.store().get(file.key(), 1 << 20));
        return IntStream.range(0, count)
                .mapToObj(i -> new PublishedFile(DAY.minusDays(i), file.key() + "." + i, file.rows(), file.bytes()))
                .peek(copy -> ReactiveDatabase.await(workspace.store().put(copy.key(), content, "application/octet-stream")))
                .toList();
    }

    private boolean isDelayed() {
        return (Boolean) Traces.query("SELECT not_before > now() + interval '1 minute' FROM lake.tables WHERE tenant_id = ?",
                workspace.tenantId());
    }

    private void publish(ObjectStore store, List<PublishedFile> files, int request) {
        ObjectFileIO io = new ObjectFileIO(store, Bucket.name());
        try (LakeCatalog catalog = new LakeCatalog(Arc.container().instance(DataSource.class).get(), io,
                "s3://" + Bucket.name())) {
            catalog.open(workspace.tenantId(), io.location(workspace.prefix().replaceFirst("/$", "")))
                    .publish(files, List.of(), request, Instant.now());
        }
    }

    private static ObjectStore countingReads(ObjectStore store, AtomicInteger reads) {
        return (ObjectStore) Proxy.newProxyInstance(ObjectStore.class.getClassLoader(), new Class<?>[] { ObjectStore.class },
                (proxy, method, arguments) -> {
                    if (method.getName().startsWith("get")) {
                        reads.incrementAndGet();
                    }
                    return method.invoke(store, arguments);
                });
    }
}
