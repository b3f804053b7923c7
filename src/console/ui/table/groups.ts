/** Rows by their group, groups in the order of their first rows. */
export function groupsOf<Row>(rows: readonly Row[], groupOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = groupOf(row)
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return groups
}
