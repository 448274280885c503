// Responses without what differs between two calls of the same server.

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;

/** Returns the value with ids and times replaced, without members that are null: clients treat them as absent. */
export function normalize(value) {
    if (typeof value === "string") {
        return value.replace(ID, "<id>").replace(TIME, "<time>");
    }
    if (Array.isArray(value)) {
        return value.map(normalize);
    }
    if (value !== null && typeof value === "object") {
        return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)
            .map(([name, member]) => [normalize(name), normalize(member)]));
    }
    return value;
}

/** Returns the leaves of the value by path. */
export function flatten(value, path = "", leaves = {}) {
    const members = value !== null && typeof value === "object" ? Object.entries(value) : [];
    if (members.length === 0) {
        leaves[path || "."] = JSON.stringify(value);
    }
    for (const [name, member] of members) {
        flatten(member, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, leaves);
    }
    return leaves;
}
