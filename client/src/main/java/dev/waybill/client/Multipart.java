package dev.waybill.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/** A body of type {@code multipart/form-data}, which is sent compressed. */
public final class Multipart {

    private final String boundary = "waybill-" + UUID.randomUUID();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    public Multipart part(String name, String contentType, byte[] content) {
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\nContent-Type: "
                + contentType + "; length=" + content.length + "\r\n\r\n";
        body.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        body.writeBytes(content);
        body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Returns the uncompressed size. */
    public int size() {
        return body.size();
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    byte[] toGzip() {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            body.writeTo(gzip);
            gzip.write(("--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
