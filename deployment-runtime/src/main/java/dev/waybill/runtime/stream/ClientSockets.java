package dev.waybill.runtime.stream;

import jakarta.inject.Singleton;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;

/**
 * What the system keeps for clients that do not read, or are gone without a word. Left to itself it would buffer megabytes for
 * each of them, and take a client for present that has taken nothing for long.
 */
@Singleton
class ClientSockets implements HttpServerOptionsCustomizer {

    private static final int SEND_BUFFER = 64 << 10;

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setSendBufferSize(SEND_BUFFER).setTcpKeepAlive(true);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        customizeHttpServer(options);
    }
}
