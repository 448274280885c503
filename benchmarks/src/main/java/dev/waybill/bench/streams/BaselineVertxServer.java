package dev.waybill.bench.streams;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Vert.x server that responds to every request with the same events from memory, written in one event-loop iteration or
 * each in a separate one. Used as the baseline of S1.
 */
final class BaselineVertxServer {

    private BaselineVertxServer() {
    }

    /** @param arguments port, file of the events, {@code separate} or {@code together} */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        List<Buffer> events = RecordedEvents.read(Path.of(arguments[1])).stream().map(Buffer::buffer).toList();
        boolean separate = arguments[2].equals("separate");
        Vertx.vertx().deployVerticle(() -> new AbstractVerticle() {

            @Override
            public void start() {
                vertx.createHttpServer()
                        .requestHandler(request -> request.body().onSuccess(body -> respond(request, events, separate)))
                        .listen(port, "127.0.0.1")
                        .onFailure(e -> System.exit(1));
            }
        }, new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()));
    }

    private static void respond(HttpServerRequest request, List<Buffer> events, boolean separate) {
        HttpServerResponse response = request.response()
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .setChunked(true);
        if (separate) {
            writeSeparately(Vertx.currentContext(), response, events, 0);
        } else {
            events.forEach(response::write);
            response.end();
        }
    }

    private static void writeSeparately(Context context, HttpServerResponse response, List<Buffer> events, int next) {
        if (next == events.size()) {
            response.end();
        } else {
            response.write(events.get(next));
            context.runOnContext(_ -> writeSeparately(context, response, events, next + 1));
        }
    }
}
