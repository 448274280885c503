// Differences of responses that two servers have returned for the same cases.
import { accepted } from "./accepted.mjs";
import { flatten, normalize } from "./normalize.mjs";
import { tableOf } from "./table.mjs";

/** Returns the leaves of a response without what differs between two calls. */
export const leaves = (response) => flatten(normalize(JSON.parse(JSON.stringify(response ?? null))));

/** Compares leaves by case; returns the differences, and the table of the accepted ones. */
export function differences(cases, ours, other) {
    const byRule = new Map(accepted.map((rule) => [rule, []]));
    const unaccepted = [];
    for (const name of cases) {
        for (const path of [...new Set([...Object.keys(ours[name]), ...Object.keys(other[name])])].sort()) {
            const [here, there] = [ours[name][path] ?? "absent", other[name][path] ?? "absent"];
            if (here !== there) {
                const rule = accepted.find(([calls, paths]) => calls.test(name) && paths.test(path));
                (byRule.get(path === "thrown" ? undefined : rule) ?? unaccepted).push({ name, path, here, there });
            }
        }
    }
    const unused = [...byRule].filter(([, all]) => all.length === 0).map(([[calls, paths]]) => `${calls} ${paths}`);
    return { cases: cases.length, unaccepted, unused, table: tableOf(byRule) };
}
