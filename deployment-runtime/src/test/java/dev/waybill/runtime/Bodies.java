package dev.waybill.runtime;

/** Request bodies of runs. */
public final class Bodies {

    private Bodies() {
    }

    /** Returns a run of the Java sample with the message; additional members as JSON. */
    public static String agent(String message, String... members) {
        return talk("agent", message, members);
    }

    /** Returns a run of the LangGraph.js sample. */
    public static String langgraph(String message, String... members) {
        return talk("langgraph", message, members);
    }

    /** Returns a run of {@link FaultyWorker}. */
    public static String misbehaving(String what, String... members) {
        return body("misbehaving", "{\"do\": \"" + what + "\"}", members);
    }

    /** Returns a run of the graph for tests of threads, which does what the message says. */
    public static String threads(String message, String... members) {
        return talk("threads", message, members);
    }

    /** Returns a run of the same graph with a checkpointer of its own. */
    public static String threadsOwn(String message, String... members) {
        return talk("threads-own", message, members);
    }

    /** Returns a run of the graph for tests of threads that answers its interrupt. */
    public static String resume(String answer) {
        return "{\"assistant_id\": \"threads\", \"command\": {\"resume\": \"" + answer + "\"}}";
    }

    /** Returns a run of the command with a JSON state, which does what the input says. */
    public static String tickets(String what, String... members) {
        return body("tickets", "{\"do\": \"" + what + "\"}", members);
    }

    /** Returns the same with a JSON value. */
    public static String ticketsWith(String what, String value, String... members) {
        return body("tickets", "{\"do\": \"" + what + "\", \"value\": " + value + "}", members);
    }

    private static String talk(String assistant, String message, String... members) {
        return body(assistant, "{\"messages\": [{\"role\": \"user\", \"content\": \"" + message + "\"}]}", members);
    }

    private static String body(String assistant, String input, String... members) {
        String more = members.length == 0 ? "" : ", " + String.join(", ", members);
        return "{\"assistant_id\": \"" + assistant + "\", \"input\": " + input + more + "}";
    }
}
