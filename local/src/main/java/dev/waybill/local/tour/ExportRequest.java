package dev.waybill.local.tour;

import java.time.Instant;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** The members of a request for an export (interface.md 2.4). The range is half open. */
public record ExportRequest(String destinationId, String sessionId, Instant start, Instant end, String formatVersion,
        String compression) {

    /** Returns the request body, to which callers can add members. */
    public ObjectNode toJson() {
        ObjectNode body = Json.object();
        body.put("bulk_export_destination_id", destinationId);
        body.put("session_id", sessionId);
        body.put("start_time", start.toString());
        body.put("end_time", end.toString());
        body.put("format_version", formatVersion);
        body.put("compression", compression);
        return body;
    }
}
