/** Names that a misspelled one may mean. */

/** The names that are similar to a word in any case, the most similar first. */
export function similarNames(word: string, names: readonly string[], most = 3): string[] {
  const wanted = word.toLowerCase()
  return names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Edits from one word to the other; a word that is part of the other is near, however long the rest. */
function distance(a: string, b: string): number {
  if (a.length >= 3 && (b.includes(a) || a.includes(b))) return 1
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let at = 1; at <= b.length; at++) {
      const same = a[row - 1] === b[at - 1] ? 0 : 1
      current[at] = Math.min((previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (previous[at - 1] ?? 0) + same)
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
