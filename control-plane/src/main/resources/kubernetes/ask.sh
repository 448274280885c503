#!/bin/sh
# Answers git's questions for a name and a password (GIT_ASKPASS) from the file that holds the token, so that it is in no
# argument, no environment and no address.
case "$1" in
    Username*) echo "oauth2" ;;
    *) [ -n "${WAYBILL_CREDENTIAL:-}" ] && [ -f "$WAYBILL_CREDENTIAL/token" ] && cat "$WAYBILL_CREDENTIAL/token" ;;
esac
