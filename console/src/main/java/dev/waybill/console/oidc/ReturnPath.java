package dev.waybill.console.oidc;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** The page that opens after signing in: only an address of a workspace on this origin, so that no link leads elsewhere. */
final class ReturnPath {

    static final String START_PAGE = "/";

    /** The path is stored in a cookie until the issuer responds. */
    private static final int MAX_LENGTH = 2000;
    /** Visible ASCII without backslashes, which browsers treat as slashes. */
    private static final Pattern PAGE = Pattern.compile("/w/[!-\\[\\]-~]+");

    private ReturnPath() {
    }

    /** Returns the requested path if it is an address of a page, else the start page. */
    static String of(@Nullable String requested) {
        if (requested == null || requested.length() > MAX_LENGTH || requested.contains("//") || requested.contains("/.")) {
            return START_PAGE;
        }
        return PAGE.matcher(requested).matches() ? requested : START_PAGE;
    }
}
