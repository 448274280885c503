package dev.waybill.common.testing;

import jakarta.enterprise.inject.spi.CDI;

import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;

/** Reads the management interface of the service under test, which has a separate port. */
public final class Management {

    private Management() {
    }

    /** Returns the body of the response. */
    public static String get(String path) {
        return RestAssured.given().port(port()).get(path).asString();
    }

    /** Returns the port; only in tests that run in the service's JVM. */
    public static int port() {
        return CDI.current().select(HttpServer.class).get().getManagementPort();
    }
}
