#!/bin/sh
# Installs an application's dependencies with the customer's commands, or with defaults by its manifest files.
#
# WAYBILL_APPLICATION  the application's directory
# WAYBILL_INSTALL      replaces the default commands, if set
# WAYBILL_BUILD        runs after the installation, if set
set -eu
cd -- "$WAYBILL_APPLICATION"

run() {
    echo "+ $1"
    code=0
    sh -c "$1" < /dev/null || code=$?
    if [ "$code" -ne 0 ]; then
        echo "The command \"$1\" failed with exit code $code." >&2
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
echo "The installation is complete."
