package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A code snippet that reads an export with one tool.
 *
 * @param tool a stable identifier for programs
 * @param language language of the text
 */
@Schema(name = "Snippet")
public record SnippetResponse(@Schema(description = "A stable identifier for programs.", examples = "duckdb") String tool,
        @Schema(description = "sql, python or javascript.", examples = "sql") String language,
        @Schema(examples = "DuckDB") String title,
        @Schema(description = "Complete except for placeholders in angle brackets, such as <ACCESS_KEY_ID>. Never contains a secret.") String text) {
}
