#!/bin/sh
# For pipelines: deploys a commit, and lets an experiment through a gate or not. Copy it into your repository.
#
#   waybill.sh deploy DEPLOYMENT_ID COMMIT   ends with 0 when it is deployed; else with 1, the reason and the end of its log
#   waybill.sh gate EXPERIMENT_FILE MAX_DROP uploads the experiment; ends with 1 when it is worse than its dataset's baseline allows
#
# Takes WAYBILL_API_KEY, WAYBILL_CONTROL_PLANE_URL and (to gate) WAYBILL_EXPERIMENT_URL from the environment, and gives a deployment
# WAYBILL_PATIENCE seconds, 1800 unless set. Needs a POSIX shell and curl 7.76 or newer, which every CI image has or can fetch:
# no jq, no python. Texts between quotes are found by grep, which is safe here: within a JSON text every quote has a backslash.
set -eu

TEXT='"([^"\\]|\\.)*"'
answer=$(mktemp)
trap 'rm -f "$answer" "$answer.log"' EXIT
trap 'exit 1' INT TERM
marker=$(printf '\001')

# Calls the service and keeps its answer; when it refuses, says why. The key goes by standard input: the list of processes shows
# arguments to everybody. What failed for the moment is asked again, under one Idempotency-Key, so that nothing happens twice.
call() {
    curl -sS --fail-with-body --max-time 120 --retry 5 --retry-connrefused --config - -o "$answer" "$@" <<EOF || refused
header = "X-API-Key: $WAYBILL_API_KEY"
header = "Content-Type: application/json"
EOF
}

create() {
    call -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" "$@"
}

refused() {
    echo "waybill: $(member detail)" >&2
    exit 1
}

# The texts that stand behind a member's name, a line each at least.
members() {
    grep -oE "\"$1\":$TEXT" "$answer" | sed -e 's/^"[a-z_]*":"//' -e 's/"$//' -e "s/\\\\\\\\/$marker/g" -e 's/\\n/\
/g' -e 's/\\t/ /g' -e 's/\\"/"/g' -e "s/$marker/\\\\/g"
}

member() {
    members "$1" | head -n 1
}

# The id of an object that stands behind a member's name.
id_of() {
    grep -oE "\"$1\":\\{\"id\":$TEXT" "$answer" | sed -e 's/"$//' -e 's/.*"//'
}

deploy() {
    deployment="$WAYBILL_CONTROL_PLANE_URL/v2/deployments/$1"
    create "$deployment/revisions" -d "{\"source_revision_config\": {\"repo_ref\": \"$(printf %s "$2" | sed 's/["\\]/\\&/g')\"}}"
    revision="$deployment/revisions/$(member id)"
    given_up=$(($(date +%s) + ${WAYBILL_PATIENCE:-1800}))
    status=
    while [ "$(date +%s)" -lt "$given_up" ]; do
        [ "$(member status)" = "$status" ] || echo "waybill: $2 is $(member status)"
        status=$(member status)
        case $status in
        DEPLOYED)
            call "$deployment"
            echo "waybill: $2 serves at $(member url)"
            return ;;
        *_FAILED | SKIPPED | INTERRUPTED)
            failed "$2 is $status: $(members status_message)" ;;
        esac
        call "$revision?wait=30s"
    done
    failed "$2 is still $(member status) after ${WAYBILL_PATIENCE:-1800} s"
}

failed() {
    echo "waybill: $1" >&2
    : >"$answer.log"
    from=0
    until call "$revision/logs?limit=1000&offset=$from" &&
        next=$(grep -oE '"next_offset":[0-9]+' "$answer" | tr -dc 0-9) && [ "$next" -le "$from" ]; do
        members line >>"$answer.log"
        from=$next
    done
    tail -n 20 "$answer.log" | sed 's/^/  | /' >&2
    exit 1
}

gate() {
    create "$WAYBILL_EXPERIMENT_URL/api/v1/datasets/upload-experiment" --data-binary "@$1"
    dataset=$(id_of dataset)
    call "$WAYBILL_EXPERIMENT_URL/api/v1/datasets/$dataset/gate" -H "Accept: text/markdown" \
        -d "{\"experiment_id\": \"$(id_of experiment)\", \"max_drop\": $2}"
    # The page of a GitHub job shows the table; a log is the place elsewhere.
    tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}" <"$answer"
    grep -q '^## Passed' "$answer"
}

case ${1-}/$# in
deploy/3) deploy "$2" "$3" ;;
gate/3) gate "$2" "$3" ;;
*)
    sed -n 's/^#   /  /p' "$0" >&2
    exit 2 ;;
esac
