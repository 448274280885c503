package dev.waybill.controlplane.source;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;

import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;
import org.jspecify.annotations.Nullable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.local.storage.FreePort;

/** A git server over smart HTTP on loopback, whose responses can be replaced by path. */
public final class GitServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentMap<String, HttpHandler> ways = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, String> tokens = new ConcurrentHashMap<>();

    private GitServer(HttpServer server) {
        this.server = server;
    }

    public static GitServer start() throws IOException {
        GitServer git = new GitServer(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find()), 0));
        git.server.setExecutor(git.threads);
        git.server.createContext("/", git::handle);
        git.server.start();
        return git;
    }

    /** @return the URL of the repository */
    public String serve(String path, TestRepository repository) {
        return serve(path, repository, UnaryOperator.identity());
    }

    /** @param wire transforms the responses */
    public String serve(String path, TestRepository repository, UnaryOperator<OutputStream> wire) {
        ways.put(path, exchange -> git(exchange, repository, wire));
        return url(path);
    }

    /** As {@link #serve}, but requires the token. */
    public String serveTo(String token, String path, TestRepository repository) {
        tokens.put(path, token);
        return serve(path, repository);
    }

    /** Replaces the responses of all paths below {@code path}. */
    public String respond(String path, HttpHandler way) {
        ways.put(path, way);
        return url(path);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String served = ways.keySet().stream().filter(path::startsWith).findFirst().orElse(null);
            if (served == null) {
                exchange.sendResponseHeaders(404, -1);
            } else if (isRefused(exchange, tokens.get(served))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
                exchange.sendResponseHeaders(401, -1);
            } else {
                ways.get(served).handle(exchange);
            }
        }
    }

    private static boolean isRefused(HttpExchange exchange, @Nullable String token) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        return token != null && (given == null || !new String(java.util.Base64.getDecoder()
                .decode(given.replace("Basic ", "")), java.nio.charset.StandardCharsets.UTF_8).endsWith(":" + token));
    }

    private static void git(HttpExchange exchange, TestRepository repository, UnaryOperator<OutputStream> wire)
            throws IOException {
        UploadPack git = new UploadPack(repository.repository());
        git.setBiDirectionalPipe(false);
        String protocol = exchange.getRequestHeaders().getFirst("Git-Protocol");
        if (protocol != null) {
            git.setExtraParameters(List.of(protocol.split(":")));
        }
        boolean asksForRefs = exchange.getRequestURI().getPath().endsWith("/info/refs");
        exchange.getResponseHeaders().set("Content-Type",
                asksForRefs ? "application/x-git-upload-pack-advertisement" : "application/x-git-upload-pack-result");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = wire.apply(exchange.getResponseBody())) {
            if (asksForRefs) {
                PacketLineOut lines = new PacketLineOut(body);
                if (protocol == null) {
                    lines.writeString("# service=git-upload-pack\n");
                    lines.end();
                }
                git.sendAdvertisedRefs(new PacketLineOutRefAdvertiser(lines));
            } else {
                boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
                git.upload(packed ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody(), body, null);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
