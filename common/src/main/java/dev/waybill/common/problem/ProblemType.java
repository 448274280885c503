package dev.waybill.common.problem;

/** A type of problem; each service has one enum in addition to {@link CommonProblem}. */
public interface ProblemType {

    /** Returns the last part of the {@code type} URI; programs compare it. */
    String slug();

    /** Returns the HTTP status of the response. */
    int status();

    /** Returns a short description for people, the same for every occurrence. */
    String title();
}
