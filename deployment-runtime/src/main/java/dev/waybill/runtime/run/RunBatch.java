package dev.waybill.runtime.run;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;

import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

import dev.waybill.common.json.RequestBodyReader;

/** Body of {@code POST /runs/batch}, a list. */
public record RunBatch(List<CreateRunRequest> runs) {

    private static final int MAX_RUNS = 100;

    /** Reads the body as other bodies are read, with the violations of all runs. */
    @Provider
    @Consumes({ "application/json", "application/*+json" })
    public static final class Reader implements ServerMessageBodyReader<RunBatch> {

        private final RequestBodyReader bodies;

        Reader(RequestBodyReader bodies) {
            this.bodies = bodies;
        }

        @Override
        public boolean isReadable(Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
            return type == RunBatch.class;
        }

        @Override
        public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
            return type == RunBatch.class;
        }

        @Override
        public RunBatch readFrom(Class<RunBatch> type, Type genericType, MediaType mediaType, ServerRequestContext context)
                throws IOException {
            return read(context.getInputStream());
        }

        @Override
        public RunBatch readFrom(Class<RunBatch> type, Type genericType, Annotation[] annotations, MediaType mediaType,
                MultivaluedMap<String, String> headers, InputStream body) throws IOException {
            return read(body);
        }

        private RunBatch read(InputStream body) throws IOException {
            return new RunBatch(bodies.readList(body, CreateRunRequest.class, MAX_RUNS));
        }
    }
}
