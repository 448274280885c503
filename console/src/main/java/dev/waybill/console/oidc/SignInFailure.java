package dev.waybill.console.oidc;

/** Why a sign-in failed; the sign-in page has a text for each code. */
enum SignInFailure {

    /** The browser uses http, and not on this machine. */
    HTTPS_REQUIRED("https-required"),
    /** The issuer does not respond. */
    ISSUER_UNAVAILABLE("issuer-unavailable"),
    /** The issuer or the user denied the sign-in, or its response does not belong to a request of this browser. */
    REJECTED("sign-in-rejected"),
    /** The access token is no JWT with an expiry. */
    TOKEN_UNUSABLE("token-unusable"),
    /** The access token does not fit into a cookie. */
    TOKEN_TOO_LARGE("token-too-large"),
    /** The services do not accept the access token. */
    NO_ACCESS("no-access"),
    /** The control-plane does not respond. */
    SERVICES_UNAVAILABLE("services-unavailable");

    private final String code;

    SignInFailure(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }
}
