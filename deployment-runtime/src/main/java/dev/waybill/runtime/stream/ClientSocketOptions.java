package dev.waybill.runtime.stream;

import jakarta.inject.Singleton;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;

/**
 * Limits the socket send buffer and enables TCP keep-alive. With the system's defaults, megabytes would be buffered for each
 * client
 * that does not read, and clients that disappeared would be detected late.
 */
@Singleton
class ClientSocketOptions implements HttpServerOptionsCustomizer {

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
