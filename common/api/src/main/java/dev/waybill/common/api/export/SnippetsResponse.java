package dev.waybill.common.api.export;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Code snippets that read an export.
 *
 * @param bulkExportIds the exports whose files the snippets read
 */
@Schema(name = "Snippets")
public record SnippetsResponse(
        @Schema(description = "The exports whose files the snippets read: the export itself unless it ended without rows or was not completed; for a scheduled export, the completed exports with rows that it created, at most the newest 10,000.") List<UUID> bulkExportIds,
        @Schema(description = "One snippet per tool; empty if there are no files.") List<SnippetResponse> snippets) {
}
