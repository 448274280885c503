package dev.waybill.soak.deployments;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Replaces deployment-runtime in tests of control planes with many deployments: responds to every run with the content of the
 * application's file {@code answer}. Uses no other class, because it runs from its own jar.
 */
public final class LightRuntime {

    private LightRuntime() {
    }

    public static void main(String[] arguments) throws IOException {
        String answer = Files.readString(Path.of(System.getenv("WAYBILL_RUNTIME_DIRECTORY"), "answer")).strip();
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(System.getenv("QUARKUS_HTTP_PORT"))),
                1024);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/q/health/ready", exchange -> respond(exchange, "{}"));
        server.createContext("/runs/wait", exchange -> respond(exchange, "{\"answer\":" + answer + "}"));
        server.start();
    }

    private static void respond(HttpExchange exchange, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Writes the jar that an engine starts. */
    static Path jar(Path file) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, LightRuntime.class.getName());
        String name = LightRuntime.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest);
                InputStream code = LightRuntime.class.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new JarEntry(name));
            jar.write(code.readAllBytes());
            jar.closeEntry();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
