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
        @Schema(description = "The exports whose files the snippets read: the export itself; of a scheduled export the newest 100 completed ones it made that have rows, none before the first.") List<UUID> bulkExportIds,
        @Schema(description = "One for each tool; empty where there is no export to read yet.") List<SnippetResponse> snippets) {
}
