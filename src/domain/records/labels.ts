/** Names that tell records apart: the second of the same name is `Errors [2]`. */

/**
 * A label for each item, unique among them; the same names in the same order get the same labels.
 * @param takenLabels labels that are taken already
 */
export function labelsOf<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  takenLabels: Iterable<string> = [],
): Map<Item, string> {
  const labels = new Map<Item, string>()
  const names = new Set(items.map(nameOf))
  const taken = new Set(takenLabels)
  /** The first number of each name that may be free, because many items may have the same name. */
  const next = new Map<string, number>()
  for (const item of items) {
    const name = nameOf(item)
    let label = name
    let count = next.get(name) ?? 2
    // A label must not be the name of another item either.
    for (; taken.has(label) || (label !== name && names.has(label)); count++) label = `${name} [${count}]`
    next.set(name, count)
    taken.add(label)
    labels.set(item, label)
  }
  return labels
}
