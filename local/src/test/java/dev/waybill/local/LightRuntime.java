package dev.waybill.local;

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
 * Stands in for deployment-runtime where control planes are tested and dozens of runtimes would be the cost: answers every run
 * with what the file {@code answer} of the application says. Alone in its file, because it runs as a jar of its own.
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
        server.createContext("/q/health/ready", exchange -> answer(exchange, "{}"));
        server.createContext("/runs/wait", exchange -> answer(exchange, "{\"answer\":" + answer + "}"));
        server.start();
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Writes the program that an engine starts. */
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
