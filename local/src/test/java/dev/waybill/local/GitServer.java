package dev.waybill.local;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.local.tour.SourceRepository;

/** Serves one repository over smart HTTP at {@link #url}. */
final class GitServer implements AutoCloseable {

    private final HttpServer server;
    private final SourceRepository repository;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private GitServer(HttpServer server, SourceRepository repository) {
        this.server = server;
        this.repository = repository;
    }

    static GitServer of(SourceRepository repository) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            GitServer git = new GitServer(server, repository);
            server.setExecutor(git.threads);
            server.createContext("/", git::respond);
            server.start();
            return git;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the base URL of integrations. */
    String baseUrl() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/acme";
    }

    String url() {
        return baseUrl() + "/agent.git";
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!path.startsWith("/acme/agent.git/")) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            boolean refs = path.endsWith("/info/refs");
            String protocol = exchange.getRequestHeaders().getFirst("Git-Protocol");
            byte[] request = body(exchange);
            UploadPack git = new UploadPack(repository.repository());
            git.setBiDirectionalPipe(false);
            if (protocol != null) {
                git.setExtraParameters(List.of(protocol.split(":")));
            }
            exchange.getResponseHeaders().set("Content-Type",
                    "application/x-git-upload-pack-" + (refs ? "advertisement" : "result"));
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                if (refs) {
                    advertise(git, out, protocol == null);
                } else {
                    git.upload(new ByteArrayInputStream(request), out, null);
                }
            }
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream in = packed ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            return in.readAllBytes();
        }
    }

    private static void advertise(UploadPack git, OutputStream out, boolean announced) throws IOException {
        PacketLineOut lines = new PacketLineOut(out);
        if (announced) {
            lines.writeString("# service=git-upload-pack\n");
            lines.end();
        }
        git.sendAdvertisedRefs(new PacketLineOutRefAdvertiser(lines));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
