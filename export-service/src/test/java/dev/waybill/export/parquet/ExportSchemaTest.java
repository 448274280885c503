package dev.waybill.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.apache.parquet.schema.ColumnOrder;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.export.trace.RunColumn;

class ExportSchemaTest {

    @Test
    void allFieldsOfTheContractExist() {
        assertThat(ExportField.defaults()).extracting(ExportField::wireName).containsExactlyInAnyOrder("id", "trace_id",
                "parent_run_id", "parent_run_ids", "dotted_order", "session_id", "session_name", "name", "run_type", "status",
                "start_time", "end_time", "first_token_time", "latency", "inputs", "outputs", "error", "events", "extra",
                "metadata", "tags", "reference_example_id", "prompt_tokens", "completion_tokens", "total_tokens",
                "prompt_cost", "completion_cost", "total_cost", "feedback_stats", "manifest_id", "app_path", "trace_tier",
                "tenant_id", "is_root");
        assertThat(ExportField.of("is_root")).contains(ExportField.IS_ROOT);
        assertThat(ExportField.of("IS_ROOT")).isEmpty();
    }

    @Test
    void threadIdIsExportedOnlyOnRequest() {
        assertThat(ExportField.of("thread_id")).contains(ExportField.THREAD_ID);
        assertThat(ExportSchema.named(null, FormatVersion.V1).sources()).doesNotContain(RunColumn.THREAD_ID);
        assertThat(ExportSchema.named(List.of("thread_id"), FormatVersion.V2_BETA)).satisfies(schema -> {
            assertThat(schema.columns()).containsExactly(new ExportSchema.Column("thread_id", "STRING"));
            assertThat(schema.sources()).containsExactlyInAnyOrder(RunColumn.ID, RunColumn.START_TIME, RunColumn.THREAD_ID);
        });
    }

    @Test
    void columnsAreInRequestedOrder() {
        ExportSchema schema = ExportSchema.of(List.of(ExportField.TOTAL_COST, ExportField.ID, ExportField.TAGS),
                FormatVersion.V2_BETA);

        assertThat(schema.columns()).containsExactly(new ExportSchema.Column("total_cost", "DECIMAL(18,9)"),
                new ExportSchema.Column("id", "STRING"), new ExportSchema.Column("tags", "LIST<STRING>"));
    }

    @Test
    void version1HasOnlyStrings() {
        assertThat(ExportSchema.of(ExportField.defaults(), FormatVersion.V1).columns())
                .allSatisfy(column -> assertThat(column.type()).isEqualTo("STRING"));
    }

    /** Readers of older specifications reject files with another column order. */
    @ParameterizedTest
    @EnumSource
    void everyColumnHasTypeDefinedOrder(FormatVersion version) {
        MessageType schema = ExportSchema.of(List.of(ExportField.values()), version).messageType();

        assertThat(schema.getColumns()).hasSize(ExportField.values().length)
                .extracting(column -> column.getPrimitiveType().columnOrder())
                .containsOnly(ColumnOrder.typeDefined());
    }

    @Test
    void hashDiffersBetweenSchemas() {
        ExportSchema schema = ExportSchema.of(ExportField.defaults(), FormatVersion.V2_BETA);

        assertThat(schema.sha256()).matches("[0-9a-f]{64}")
                .isEqualTo(ExportSchema.of(ExportField.defaults(), FormatVersion.V2_BETA).sha256())
                .isNotEqualTo(ExportSchema.of(ExportField.defaults(), FormatVersion.V1).sha256());
    }

    @Test
    void sourcesIncludeFieldColumnsAndRowKey() {
        assertThat(ExportSchema.of(List.of(ExportField.TENANT_ID, ExportField.LATENCY), FormatVersion.V1).sources())
                .containsExactlyInAnyOrder(RunColumn.ID, RunColumn.START_TIME, RunColumn.END_TIME);
    }

    @Test
    void emptyOrDuplicateFieldsAreRejected() {
        assertThatThrownBy(() -> ExportSchema.of(List.of(), FormatVersion.V1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ExportSchema.of(List.of(ExportField.ID, ExportField.ID), FormatVersion.V1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
