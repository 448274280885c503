package dev.waybill.common.problem;

/** A kind of problem that a service answers; each service has one enum of its own beside {@link CommonProblem}. */
public interface ProblemType {

    /** The last part of the problem's {@code type} URI; programs compare it. */
    String slug();

    /** The HTTP status it is answered with. */
    int status();

    /** A short name for people, the same for every occurrence. */
    String title();
}
