package dev.waybill.experiment.attachment;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.common.api.trace.AttachmentResponse;

/**
 * How a file that somebody sent is given to a browser: saved, never shown, never taken for anything but what it says, and with
 * no
 * rights should it be shown all the same.
 */
final class AttachmentHeaders {

    private static final String UNRESERVED = "-._~";

    private AttachmentHeaders() {
    }

    /** The headers of the answer that has the attachment's content. */
    static Map<String, List<String>> of(AttachmentResponse attachment) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("Content-Length", List.of(Integer.toString(attachment.size())));
        headers.put("Content-Disposition", List.of("attachment; filename*=UTF-8''" + encoded(attachment.name())));
        headers.put("X-Content-Type-Options", List.of("nosniff"));
        headers.put("Content-Security-Policy", List.of("sandbox; default-src 'none'"));
        headers.put("Cache-Control", List.of("private, no-store"));
        return headers;
    }

    // RFC 8187.
    private static String encoded(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = one >= 'a' && one <= 'z' || one >= 'A' && one <= 'Z' || one >= '0' && one <= '9'
                    || UNRESERVED.indexOf(one) >= 0;
            encoded.append(plain ? String.valueOf((char) one) : "%%%02X".formatted(one & 0xff));
        }
        return encoded.toString();
    }
}
