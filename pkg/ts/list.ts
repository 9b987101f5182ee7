// The list of entries in a value, and a new one made of its own elements.

type Value = Record<string, unknown>;

/** Under which members a request keeps its entries, in the order in which the core looks for them. */
const KEYS = ["messages", "input", "contents"];

/** The list of entries that a value is or holds; `undefined` if it is not so simple. */
export function listOf(value: object): unknown[] | undefined {
  if (Array.isArray(value)) {
    return value;
  }
  const key = keyOf(value);
  return key === undefined ? undefined : ((value as Value)[key] as unknown[]);
}

/** The value with another list in place of its own; every other member is the same. */
export function withList(value: object, list: unknown[]): object {
  const key = keyOf(value);
  return key === undefined ? list : { ...value, [key]: list };
}

function keyOf(value: object): string | undefined {
  return Array.isArray(value) ? undefined : KEYS.find((key) => Array.isArray((value as Value)[key]));
}
