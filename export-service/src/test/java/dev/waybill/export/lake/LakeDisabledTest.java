package dev.waybill.export.lake;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;

@ExportServiceTest
class LakeDisabledTest {

    @Inject
    CompactionTimer timer;

    @Test
    void nothingIsPlannedWithoutBucket() {
        // Given
        LakeWorkspace workspace = LakeWorkspace.create().withRuns(3);

        // When
        await(timer.plan());

        // Then
        assertThat(Traces.all("SELECT day FROM lake.compactions WHERE tenant_id = ?", workspace.tenantId())).isEmpty();
    }
}
