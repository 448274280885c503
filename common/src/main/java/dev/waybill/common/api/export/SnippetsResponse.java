package dev.waybill.common.api.export;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * How to read an export with the tools of its readers.
 *
 * @param bulkExportIds the exports whose files the snippets read
 */
@Schema(name = "Snippets")
public record SnippetsResponse(
        @Schema(description = "The exports whose files the snippets read: the export itself, unless it ended without rows or not as completed; of a scheduled export all completed ones it made that have rows, at most the newest 10,000.") List<UUID> bulkExportIds,
        @Schema(description = "One for each tool; empty where there are no files to read.") List<SnippetResponse> snippets) {
}
