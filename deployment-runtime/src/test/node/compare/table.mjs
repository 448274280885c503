// The table of accepted differences, as Markdown.

const NAMES = 2;
const VALUES = 2;
const MAX_VALUE = 36;

/** Returns a row for each rule. */
export function tableOf(byRule) {
    const rows = [...byRule].filter(([, differences]) => differences.length > 0).map(([[, , reason], differences]) => [
        some(differences.map(({ name }) => name), NAMES, (name) => name),
        some(differences.map(({ path }) => path.replace(/\[\d+\]/g, "[]")), NAMES, (path) => `\`${path}\``),
        some(differences.map(({ here }) => here), VALUES, short),
        some(differences.map(({ there }) => there), VALUES, short),
        reason,
    ]);
    const header = ["| calls | members | runtime | public server | reason |", "|---|---|---|---|---|"];
    return [...header, ...rows.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
}

function some(all, max, text) {
    const distinct = [...new Set(all.map(text))];
    return distinct.slice(0, max).join(", ") + (distinct.length > max ? ", …" : "");
}

function short(value) {
    const cut = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
    return value === "absent" ? "absent" : `\`${cut.replaceAll("|", "\\|")}\``;
}
