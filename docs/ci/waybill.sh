#!/bin/sh
# For pipelines: deploys a commit, and checks an experiment against its baseline. Copy it to your repository.
#
#   waybill.sh deploy DEPLOYMENT_ID COMMIT   exits with 0 when it is deployed; else with 1, the reason and the end of its log
#   waybill.sh gate EXPERIMENT_FILE MAX_DROP uploads the experiment; exits with 1 if it is worse than its baseline allows
#
# Reads WAYBILL_API_KEY, WAYBILL_CONTROL_PLANE_URL and (for gate) WAYBILL_EXPERIMENT_URL from the environment. A deployment may
# take WAYBILL_PATIENCE seconds (default 1800). Requires a POSIX shell and curl 7.76 or newer, neither jq nor python. grep finds
# JSON members reliably, because every quote inside a JSON text has a backslash.
set -eu

TEXT='"([^"\\]|\\.)*"'
response=$(mktemp)
trap 'rm -f "$response" "$response.log"' EXIT
trap 'exit 1' INT TERM
marker=$(printf '\001')

# Calls the service and stores its response; reports the reason of a rejection. curl reads the key from standard input, because
# process lists show arguments. Temporary failures are retried with one Idempotency-Key, so nothing is created twice.
call() {
    curl -sS --fail-with-body --max-time 120 --retry 5 --retry-connrefused --config - -o "$response" "$@" <<EOF || rejected
header = "X-API-Key: $WAYBILL_API_KEY"
header = "Content-Type: application/json"
EOF
}

create() {
    call -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" "$@"
}

rejected() {
    echo "waybill: $(member detail)" >&2
    exit 1
}

# Prints the texts of all members with this name, at least one line each.
members() {
    grep -oE "\"$1\":$TEXT" "$response" | sed -e 's/^"[a-z_]*":"//' -e 's/"$//' -e "s/\\\\\\\\/$marker/g" -e 's/\\n/\
/g' -e 's/\\t/ /g' -e 's/\\"/"/g' -e "s/$marker/\\\\/g"
}

member() {
    members "$1" | head -n 1
}

# Prints the id of the object in the member with this name.
id_of() {
    grep -oE "\"$1\":\\{\"id\":$TEXT" "$response" | sed -e 's/"$//' -e 's/.*"//'
}

deploy() {
    deployment="$WAYBILL_CONTROL_PLANE_URL/v2/deployments/$1"
    create "$deployment/revisions" -d "{\"source_revision_config\": {\"repo_ref\": \"$(printf %s "$2" | sed 's/["\\]/\\&/g')\"}}"
    revision="$deployment/revisions/$(member id)"
    deadline=$(($(date +%s) + ${WAYBILL_PATIENCE:-1800}))
    status=
    while [ "$(date +%s)" -lt "$deadline" ]; do
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
    : >"$response.log"
    from=0
    until call "$revision/logs?limit=1000&offset=$from" &&
        next=$(grep -oE '"next_offset":[0-9]+' "$response" | tr -dc 0-9) && [ "$next" -le "$from" ]; do
        members line >>"$response.log"
        from=$next
    done
    tail -n 20 "$response.log" | sed 's/^/  | /' >&2
    exit 1
}

gate() {
    create "$WAYBILL_EXPERIMENT_URL/api/v1/datasets/upload-experiment" --data-binary "@$1"
    dataset=$(id_of dataset)
    call "$WAYBILL_EXPERIMENT_URL/api/v1/datasets/$dataset/gate" -H "Accept: text/markdown" \
        -d "{\"experiment_id\": \"$(id_of experiment)\", \"max_drop\": $2}"
    # GitHub displays the table on the page of the job; elsewhere it is in the log.
    tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}" <"$response"
    grep -q '^## Passed' "$response"
}

case ${1-}/$# in
deploy/3) deploy "$2" "$3" ;;
gate/3) gate "$2" "$3" ;;
*)
    sed -n 's/^#   /  /p' "$0" >&2
    exit 2 ;;
esac
