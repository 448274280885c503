#!/bin/sh
# Implements GIT_ASKPASS: prints the user name, or the token from its file, so that the token is in no argument, environment
# variable or URL.
case "$1" in
    Username*) echo "oauth2" ;;
    *) [ -n "${WAYBILL_CREDENTIAL:-}" ] && [ -f "$WAYBILL_CREDENTIAL/token" ] && cat "$WAYBILL_CREDENTIAL/token" ;;
esac
