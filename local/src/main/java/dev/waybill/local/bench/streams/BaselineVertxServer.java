package dev.waybill.local.bench.streams;

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
 * A server that answers every request with the same events from memory, each written by itself: all at once, or each in a turn
 * of the event loop of its own. For nothing but comparison.
 */
final class BaselineVertxServer {

    private BaselineVertxServer() {
    }

    /** @param arguments port, file of the events, {@code turns} or {@code once} */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        List<Buffer> events = RecordedEvents.read(Path.of(arguments[1])).stream().map(Buffer::buffer).toList();
        boolean turns = arguments[2].equals("turns");
        Vertx.vertx().deployVerticle(() -> new AbstractVerticle() {

            @Override
            public void start() {
                vertx.createHttpServer()
                        .requestHandler(request -> request.body().onSuccess(body -> answer(request, events, turns)))
                        .listen(port, "127.0.0.1")
                        .onFailure(e -> System.exit(1));
            }
        }, new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()));
    }

    private static void answer(HttpServerRequest request, List<Buffer> events, boolean turns) {
        HttpServerResponse response = request.response()
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .setChunked(true);
        if (turns) {
            answerInTurns(Vertx.currentContext(), response, events, 0);
        } else {
            events.forEach(response::write);
            response.end();
        }
    }

    private static void answerInTurns(Context context, HttpServerResponse response, List<Buffer> events, int next) {
        if (next == events.size()) {
            response.end();
        } else {
            response.write(events.get(next));
            context.runOnContext(_ -> answerInTurns(context, response, events, next + 1));
        }
    }
}
