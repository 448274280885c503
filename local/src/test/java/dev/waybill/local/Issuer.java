package dev.waybill.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.awaitility.Awaitility;

import dev.waybill.local.storage.ChildProcess;

/** The npm package {@code oidc-provider} as the issuer whose tokens the services of {@link RunningStack} accept. */
final class Issuer implements AutoCloseable {

    static final String CLIENT_ID = "waybill-console";
    static final String CLIENT_SECRET = "secret-" + UUID.randomUUID();

    private final ChildProcess process;

    private Issuer(ChildProcess process) {
        this.process = process;
    }

    /** Starts the issuer and waits until it responds. */
    static Issuer start(UUID workspace, String redirectUris) throws IOException, InterruptedException {
        Issuer issuer = new Issuer(NodeProgram.start(Map.of("ISSUER", RunningStack.ISSUER, "AUDIENCE", RunningStack.AUDIENCE,
                "CLIENT_SECRET", CLIENT_SECRET, "REDIRECT_URIS", redirectUris, "WORKSPACE", workspace.toString()),
                ForkFolder.resolve("issuer.log"), "issuer.mjs"));
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> issuer.isReady());
        return issuer;
    }

    private boolean isReady() throws InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("the issuer has exited; see issuer.log in " + ForkFolder.resolve(""));
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(RunningStack.ISSUER + "/.well-known/openid-configuration"))
                    .build(), BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
