package dev.waybill.controlplane.source.guard;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

import org.apache.http.Header;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;

/**
 * One request of JGit and its response. Responses that would make JGit follow a redirect, ask for a password or read
 * loose objects are reported as failures with a message for the user.
 */
final class GuardedHttpConnection implements HttpConnection {

    /** Limit of responses without a pack, such as lists of refs. */
    private static final long MAX_RESPONSE_WITHOUT_PACK = 16L << 20;
    private static final int COMMAND = 64;

    private final CloseableHttpClient client;
    private final URL url;
    private final long maxBytes;
    private final SourceDeadline deadline;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String method = "GET";
    private @Nullable CloseableHttpResponse response;

    GuardedHttpConnection(CloseableHttpClient client, URL url, @Nullable String authorization, long maxBytes,
            SourceDeadline deadline) {
        this.client = client;
        this.url = url;
        this.maxBytes = maxBytes;
        this.deadline = deadline;
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
    }

    private CloseableHttpResponse response() throws IOException {
        CloseableHttpResponse current = response;
        if (current == null) {
            deadline.check();
            RequestBuilder request = RequestBuilder.create(method).setUri(url.toString());
            headers.forEach(request::setHeader);
            if (method.equals("POST")) {
                request.setEntity(new ByteArrayEntity(body.toByteArray()));
            }
            current = client.execute(request.build());
            response = current;
            check(current);
        }
        return current;
    }

    private void check(CloseableHttpResponse current) throws IOException {
        int status = current.getStatusLine().getStatusCode();
        if (status != HTTP_OK) {
            throw responseError(status);
        }
        Header type = current.getFirstHeader("Content-Type");
        boolean git = type != null && type.getValue().toLowerCase(Locale.ROOT).startsWith("application/x-git-upload-pack-");
        if (!git || current.getFirstHeader("Content-Encoding") != null) {
            throw new SourceException(Kind.UNREACHABLE,
                    "The server at " + host() + " is not a git server; check the repository's URL.");
        }
    }

    private SourceException responseError(int status) {
        return switch (status) {
            case 401, 403 -> new SourceException(Kind.UNREACHABLE, "Access to the repository was denied (HTTP " + status
                    + "); check the integration's token: it must be valid and allow reading this repository.");
            case 404, 410 -> new SourceException(Kind.UNREACHABLE, "The repository does not exist at " + host()
                    + ", or the integration's token has no access to it (HTTP " + status + ").");
            case 301, 302, 303, 307, 308 ->
                new SourceException(Kind.UNREACHABLE, "The repository's host redirects (HTTP " + status
                        + "), and redirects are not followed; use the repository's final URL.");
            default -> new SourceException(status == 429 || status >= 500 ? Kind.UNAVAILABLE : Kind.UNREACHABLE,
                    "The repository is not reachable: " + host() + " returned HTTP " + status + ".");
        };
    }

    private String host() {
        return url.getHost();
    }

    @Override
    public int getResponseCode() throws IOException {
        return response().getStatusLine().getStatusCode();
    }

    @Override
    public String getResponseMessage() throws IOException {
        return String.valueOf(response().getStatusLine().getReasonPhrase());
    }

    @Override
    public InputStream getInputStream() throws IOException {
        CloseableHttpResponse current = response();
        return new GuardedInputStream(current.getEntity().getContent(), current,
                isPackRequest() ? maxBytes : MAX_RESPONSE_WITHOUT_PACK,
                deadline);
    }

    private boolean isPackRequest() throws IOException {
        InputStream sent = new ByteArrayInputStream(body.toByteArray());
        boolean packed = "gzip".equals(headers.get("Content-Encoding"));
        try (InputStream plain = packed ? new GZIPInputStream(sent) : sent) {
            String begin = new String(plain.readNBytes(COMMAND), StandardCharsets.ISO_8859_1);
            return begin.contains("command=fetch") || begin.startsWith("want ", 4);
        }
    }

    @Override
    public @Nullable String getContentType() {
        return getHeaderField("Content-Type");
    }

    @Override
    public @Nullable String getHeaderField(String name) {
        Header header = response == null ? null : response.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    @Override
    public List<String> getHeaderFields(String name) {
        return response == null ? List.of() : Arrays.stream(response.getHeaders(name)).map(Header::getValue).toList();
    }

    @Override
    public Map<String, List<String>> getHeaderFields() {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (response != null) {
            for (Header header : response.getAllHeaders()) {
                fields.computeIfAbsent(header.getName(), _ -> new ArrayList<>()).add(header.getValue());
            }
        }
        return fields;
    }

    @Override
    public int getContentLength() {
        String length = getHeaderField("Content-Length");
        return length == null || length.length() > 9 ? -1 : Integer.parseInt(length);
    }

    @Override
    public OutputStream getOutputStream() {
        return body;
    }

    @Override
    public URL getURL() {
        return url;
    }

    @Override
    public void setRequestProperty(String name, String value) {
        // A compressed response could expand to a multiple of the counted size.
        if (!name.equalsIgnoreCase("Accept-Encoding") && !name.equalsIgnoreCase("Authorization")) {
            headers.put(name, value);
        }
    }

    @Override
    public void setRequestMethod(String name) {
        method = name;
    }

    @Override
    public String getRequestMethod() {
        return method;
    }

    @Override
    public boolean usingProxy() {
        return false;
    }

    @Override
    public void connect() throws IOException {
        response();
    }

    @Override
    public void setUseCaches(boolean use) {
        // The client has no cache.
    }

    @Override
    public void setConnectTimeout(int millis) {
        // The client has its own timeout.
    }

    @Override
    public void setReadTimeout(int millis) {
        // The client has its own timeout.
    }

    @Override
    public void setInstanceFollowRedirects(boolean follow) {
        // Redirects are never followed.
    }

    @Override
    public void setDoOutput(boolean output) {
        // The method determines whether a body is sent.
    }

    @Override
    public void setFixedLengthStreamingMode(int length) {
        // Request bodies are small and buffered.
    }

    @Override
    public void setChunkedStreamingMode(int length) {
        // Request bodies are small and buffered.
    }

    @Override
    public void configure(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random) {
        // Certificates are always verified against the operator's trusted authorities.
    }

    @Override
    public void setHostnameVerifier(HostnameVerifier verifier) {
        // Host names are always verified.
    }
}
