package dev.waybill.common.problem;

import java.util.Locale;

/** A type of problem: a constant of an enum. Each service has one enum in addition to {@link CommonProblem}. */
public interface ProblemType {

    /** Returns the name of the constant. */
    String name();

    /** Returns the HTTP status of the response. */
    int status();

    /** Returns a short description for people, the same for every occurrence. */
    String title();

    /** Returns the last part of the {@code type} URI; programs compare it. */
    default String slug() {
        return name().toLowerCase(Locale.ROOT);
    }
}
