package dev.waybill.export.destination;

import java.util.Locale;

import dev.waybill.common.problem.ProblemType;

/** Why a destination was refused: the four names of interface.md section 7. */
enum DestinationProblem implements ProblemType {
    ACCESS_DENIED("Access denied"),
    BUCKET_NOT_VALID("Bucket is not valid"),
    KEY_ID_DOES_NOT_EXIST("Key ID you provided does not exist"),
    INVALID_ENDPOINT("Invalid endpoint");

    private final String title;

    DestinationProblem(String title) {
        this.title = title;
    }

    @Override
    public String slug() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int status() {
        return 400;
    }

    @Override
    public String title() {
        return title;
    }
}
