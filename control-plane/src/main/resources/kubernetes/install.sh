#!/bin/sh
# Installs what an application needs, in its folder, by the customer's own commands or by what its files ask for.
#
# WAYBILL_APPLICATION  the application's folder
# WAYBILL_INSTALL      the command that is run instead of the usual ones, if it is there
# WAYBILL_BUILD        the command that is run after it, if it is there
set -eu
cd -- "$WAYBILL_APPLICATION"

run() {
    echo "+ $1"
    code=0
    sh -c "$1" < /dev/null || code=$?
    if [ "$code" -ne 0 ]; then
        echo "The command \"$1\" ended with $code." >&2
        exit "$code"
    fi
}

if [ -n "${WAYBILL_INSTALL:-}" ]; then
    run "$WAYBILL_INSTALL"
else
    if [ -f package-lock.json ]; then
        run "npm ci --no-audit --no-fund"
    elif [ -f package.json ]; then
        run "npm install --no-audit --no-fund"
    fi
    if [ -f requirements.txt ]; then
        run "python3 -m pip install --disable-pip-version-check --no-cache-dir -r requirements.txt"
    fi
fi
if [ -n "${WAYBILL_BUILD:-}" ]; then
    run "$WAYBILL_BUILD"
fi
echo "Everything is installed."
