package dev.waybill.export.snippet;

/** An engine's type names for the types of the manifest. */
record TypeNames(String text, String time, String count, String cost, String seconds, String flag, String list) {

    /** Returns the type name for a type of the manifest. */
    String of(String type) {
        return switch (type) {
            case "STRING" -> text;
            case "TIMESTAMP(MICROS,UTC)" -> time;
            case "INT64" -> count;
            case "DECIMAL(18,9)" -> cost;
            case "DOUBLE" -> seconds;
            case "BOOLEAN" -> flag;
            case "LIST<STRING>" -> list;
            default -> throw new IllegalArgumentException("unknown manifest type: " + type);
        };
    }
}
