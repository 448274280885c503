package dev.waybill.local.client;

import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of a streamed run (contract.md "Deployed application").
 *
 * @param name such as {@code updates} or {@code end}
 */
public record RunEvent(String name, JsonNode data) {

    /** Parses the lines of {@code text/event-stream} and passes each complete event to the consumer. */
    static Consumer<String> reader(Consumer<RunEvent> consumer) {
        return new Consumer<>() {

            private String name = "";
            private String data = "";

            @Override
            public void accept(String line) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    data = line.substring("data: ".length());
                } else if (line.isEmpty()) {
                    consumer.accept(new RunEvent(name, Json.parse(data)));
                }
            }
        };
    }
}
