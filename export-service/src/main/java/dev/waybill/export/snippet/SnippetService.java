package dev.waybill.export.snippet;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.SnippetResponse;
import dev.waybill.common.api.export.SnippetsResponse;
import dev.waybill.common.database.Database;
import dev.waybill.export.run.ExportLayout;
import io.smallrye.mutiny.Uni;

/** Generates the snippets of an export. */
@Singleton
class SnippetService {

    private final Database database;
    private final SnippetRepository repository;

    SnippetService(Database database, SnippetRepository repository) {
        this.database = database;
        this.repository = repository;
    }

    Uni<SnippetsResponse> get(UUID tenantId, UUID exportId) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, exportId))
                .map(SnippetService::snippets);
    }

    private static SnippetsResponse snippets(ExportedFiles files) {
        List<UUID> ids = files.exports().stream().map(ExportLayout::exportId).toList();
        List<SnippetResponse> snippets = ids.isEmpty() ? List.of()
                : Arrays.stream(Tool.values()).map(tool -> snippet(tool, files)).toList();
        return new SnippetsResponse(ids, snippets);
    }

    private static SnippetResponse snippet(Tool tool, ExportedFiles files) {
        return new SnippetResponse(tool.wireName(), tool.language(), tool.title(), tool.text(files));
    }
}
