#!/bin/sh
# Fetches one commit of a repository into a folder. All input is untrusted: the address, the commit's id and the repository's
# content. Nothing of the repository is executed, git's configuration on the image is ignored, and only askpass.sh and ssh read
# the credential.
#
# WAYBILL_REPOSITORY   the repository's URL
# WAYBILL_COMMIT       the full commit id
# WAYBILL_FOLDER       the target folder; emptied first, because kubelet retries in the same folder
# WAYBILL_TRANSPORTS   the allowed git protocols, for example https (colon-separated)
# WAYBILL_CREDENTIAL   the folder with the file "token" or "key", if the repository needs a credential
#
# Exits with 10 if the repository could not be fetched, which may be temporary.
set -eu

case "$WAYBILL_COMMIT" in
    *[!0-9a-f]* | '') echo "The commit id is invalid." >&2; exit 2 ;;
esac

export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_LFS_SKIP_SMUDGE=1
export GIT_ALLOW_PROTOCOL="$WAYBILL_TRANSPORTS"
export GIT_ASKPASS="$(dirname "$0")/askpass.sh"
unset GIT_TRACE GIT_TRACE_CURL GIT_TRACE_PACKET GIT_CURL_VERBOSE GIT_SSH GIT_DIR GIT_WORK_TREE || true
if [ -n "${WAYBILL_CREDENTIAL:-}" ] && [ -f "$WAYBILL_CREDENTIAL/key" ]; then
    # ssh requires a private key file with mode 600.
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
# An empty template excludes hooks and attributes of the image.
git init --quiet --template= .

echo "Fetching commit $WAYBILL_COMMIT."
if ! git fetch --quiet --depth 1 --no-tags --no-recurse-submodules --no-write-fetch-head -- \
    "$WAYBILL_REPOSITORY" "$WAYBILL_COMMIT"; then
    echo "The commit could not be fetched." >&2
    exit 10
fi
git checkout --quiet --detach --no-recurse-submodules "$WAYBILL_COMMIT" --

# Symbolic links out of the folder would expose other files to the install commands.
here=$(pwd -P)
find . -path ./.git -prune -o -type l -print | while IFS= read -r link; do
    target=$(readlink -f -- "$link" || true)
    case "$target" in
        "$here" | "$here"/*) ;;
        *) echo "The link \"$link\" points outside of the repository." >&2; exit 3 ;;
    esac
done
rm -rf .git
echo "The commit was fetched."
