# Source this file: it sets JAVA_HOME to a JDK 25 or newer, or exits with the required installation.

waybill_java_major() {
    "$1/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = \([0-9]*\).*/\1/p'
}

waybill_find_jdk() {
    local on_path candidate major
    on_path=$(command -v javac || true)
    [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
    for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*25* /opt/*jdk*25* "$HOME"/.sdkman/candidates/java/25* \
        "$HOME"/.jdks/*25* /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
        [ -n "$candidate" ] && [ -x "$candidate/bin/javac" ] || continue
        major=$(waybill_java_major "$candidate")
        if [ "${major:-0}" -ge 25 ]; then
            export JAVA_HOME="$candidate"
            return 0
        fi
    done
    echo "Waybill needs a JDK 25: install one (for example Eclipse Temurin 25) or set JAVA_HOME to it." >&2
    return 1
}

waybill_find_jdk || exit 1
