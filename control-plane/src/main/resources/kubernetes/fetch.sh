#!/bin/sh
# Fetches one commit of a repository into a folder. What it is told comes from a customer: the address, the commit's id, and
# everything in the repository. Nothing of it runs here, nothing is read from the machine's configuration of git, and the
# credential is read from a file by ask.sh alone.
#
# WAYBILL_REPOSITORY   the address
# WAYBILL_COMMIT       the commit's whole id
# WAYBILL_FOLDER       where its files go; emptied first, for kubelet tries again in the same folder
# WAYBILL_TRANSPORTS   the only ways that may be used, for example https (colon-separated)
# WAYBILL_CREDENTIAL   the folder with the file "token" or "key", where there is a credential
#
# Ends with 10 when the repository could not be fetched: that may pass.
set -eu

case "$WAYBILL_COMMIT" in
    *[!0-9a-f]* | '') echo "The commit's id is not one." >&2; exit 2 ;;
esac

export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_LFS_SKIP_SMUDGE=1
export GIT_ALLOW_PROTOCOL="$WAYBILL_TRANSPORTS"
export GIT_ASKPASS="$(dirname "$0")/ask.sh"
unset GIT_TRACE GIT_TRACE_CURL GIT_TRACE_PACKET GIT_CURL_VERBOSE GIT_SSH GIT_DIR GIT_WORK_TREE || true
if [ -n "${WAYBILL_CREDENTIAL:-}" ] && [ -f "$WAYBILL_CREDENTIAL/key" ]; then
    # ssh wants a key that nobody else may read. The operator's known hosts come with it.
    (umask 077; cat "$WAYBILL_CREDENTIAL/key" > "$HOME/.waybill-key")
    export GIT_SSH_COMMAND="ssh -F /dev/null -i $HOME/.waybill-key -o IdentitiesOnly=yes -o BatchMode=yes\
 -o StrictHostKeyChecking=yes -o UserKnownHostsFile=$WAYBILL_CREDENTIAL/known_hosts -o ClearAllForwardings=yes"
    trap 'rm -f "$HOME/.waybill-key"' EXIT
fi

git() {
    command git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.symlinks=true -c http.followRedirects=false \
        -c protocol.allow=never -c credential.helper= -c submodule.recurse=false -c fetch.recurseSubmodules=false \
        -c gc.auto=0 -c advice.detachedHead=false "$@"
}

mkdir -p -- "$WAYBILL_FOLDER"
find "$WAYBILL_FOLDER" -mindepth 1 -delete
cd -- "$WAYBILL_FOLDER"
# Without a template there is no hook and no attribute that somebody put into the image.
git init --quiet --template= .

echo "Fetching commit $WAYBILL_COMMIT."
if ! git fetch --quiet --depth 1 --no-tags --no-recurse-submodules --no-write-fetch-head -- \
    "$WAYBILL_REPOSITORY" "$WAYBILL_COMMIT"; then
    echo "The commit could not be fetched." >&2
    exit 10
fi
git checkout --quiet --detach --no-recurse-submodules "$WAYBILL_COMMIT" --

# Links that lead out of the folder would show an installation what is not the repository's.
here=$(pwd -P)
find . -path ./.git -prune -o -type l -print | while IFS= read -r link; do
    target=$(readlink -f -- "$link" || true)
    case "$target" in
        "$here" | "$here"/*) ;;
        *) echo "The link \"$link\" leads out of the repository." >&2; exit 3 ;;
    esac
done
rm -rf .git
echo "The commit is there."
