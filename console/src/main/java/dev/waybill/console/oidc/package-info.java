/** Sign-in by OpenID Connect: the code flow with an issuer, which ends in a session with the user's access token. */
@NullMarked
package dev.waybill.console.oidc;

import org.jspecify.annotations.NullMarked;
