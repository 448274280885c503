package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * How one tool reads an export.
 *
 * @param tool a stable word for programs
 * @param language what the text is written in
 */
@Schema(name = "Snippet")
public record SnippetResponse(@Schema(description = "A stable word for programs.", examples = "duckdb") String tool,
        @Schema(description = "sql, python or javascript.", examples = "sql") String language,
        @Schema(examples = "DuckDB") String title,
        @Schema(description = "Ready to run but for what stands in angle brackets, such as <ACCESS_KEY_ID>. Never a secret.") String text) {
}
