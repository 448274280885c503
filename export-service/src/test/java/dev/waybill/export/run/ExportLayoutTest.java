package dev.waybill.export.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.export.parquet.FormatVersion;

class ExportLayoutTest {

    private static final UUID EXPORT = UUID.fromString("01a1fc24-0000-7000-8000-000000000001");
    private static final UUID TENANT = UUID.fromString("01a1fc24-0000-7000-8000-000000000002");
    private static final UUID SESSION = UUID.fromString("01a1fc24-0000-7000-8000-000000000003");
    private static final Instant LATE = Instant.parse("2026-01-05T23:59:59.999999Z");
    private static final String ROOT = "export_id=" + EXPORT + "/tenant_id=" + TENANT + "/session_id=" + SESSION + "/";

    @Test
    void v1KeysMatchTheInterfaceWithoutPadding() {
        // Given
        ExportLayout layout = new ExportLayout("traces/", EXPORT, TENANT, SESSION, FormatVersion.V1);

        // When
        String key = layout.file(LATE, 12);

        // Then
        assertThat(key).isEqualTo("traces/" + ROOT + "runs/year=2026/month=1/day=5/part-00012.parquet");
    }

    @Test
    void v2KeysUseKeyValueFolders() {
        // Given
        ExportLayout layout = new ExportLayout("", EXPORT, TENANT, SESSION, FormatVersion.V2_BETA);

        // When
        String key = layout.file(LATE, 0);

        // Then
        assertThat(key).isEqualTo(ROOT + "resource=runs/year=2026/month=1/day=5/part-00000.parquet");
    }

    @Test
    void manifestIsBesideTheRunsFolder() {
        // Given
        ExportLayout layout = new ExportLayout("bucket/traces/", EXPORT, TENANT, SESSION, FormatVersion.V1);

        // When
        String key = layout.manifest();

        // Then
        assertThat(key).isEqualTo("bucket/traces/" + ROOT + "_manifest.json");
    }
}
