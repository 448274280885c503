package dev.waybill.runtime;

/** Bodies of requests for runs. */
public final class Bodies {

    private Bodies() {
    }

    /** A run of the sample that is told {@code message}; further members as JSON. */
    public static String agent(String message, String... members) {
        return talk("agent", message, members);
    }

    /** The same of the sample that is a LangGraph.js graph. */
    public static String langgraph(String message, String... members) {
        return talk("langgraph", message, members);
    }

    /** A run of the worker that does what it is told. */
    public static String naughty(String what, String... members) {
        return body("naughty", "{\"do\": \"" + what + "\"}", members);
    }

    private static String talk(String assistant, String message, String... members) {
        return body(assistant, "{\"messages\": [{\"role\": \"user\", \"content\": \"" + message + "\"}]}", members);
    }

    private static String body(String assistant, String input, String... members) {
        String more = members.length == 0 ? "" : ", " + String.join(", ", members);
        return "{\"assistant_id\": \"" + assistant + "\", \"input\": " + input + more + "}";
    }
}
