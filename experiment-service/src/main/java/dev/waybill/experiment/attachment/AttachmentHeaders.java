package dev.waybill.experiment.attachment;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.common.api.trace.AttachmentResponse;

/**
 * Response headers for attachment downloads. Browsers must save the file and never render it or guess its type, because its
 * content is untrusted.
 */
final class AttachmentHeaders {

    private static final String UNRESERVED = "-._~";

    private AttachmentHeaders() {
    }

    /** Returns the response headers for the attachment's content; the length is in its chunks, a header with it is invalid. */
    static Map<String, List<String>> of(AttachmentResponse attachment) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("Content-Disposition", List.of("attachment; filename*=UTF-8''" + percentEncode(attachment.name())));
        headers.put("X-Content-Type-Options", List.of("nosniff"));
        headers.put("Content-Security-Policy", List.of("sandbox; default-src 'none'"));
        headers.put("Cache-Control", List.of("private, no-store"));
        return headers;
    }

    // Encodes an extended parameter value after RFC 8187.
    private static String percentEncode(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = octet >= 'a' && octet <= 'z' || octet >= 'A' && octet <= 'Z' || octet >= '0' && octet <= '9'
                    || UNRESERVED.indexOf(octet) >= 0;
            encoded.append(plain ? String.valueOf((char) octet) : "%%%02X".formatted(octet & 0xff));
        }
        return encoded.toString();
    }
}
