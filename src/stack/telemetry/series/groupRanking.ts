/** Which groups of a query are the largest, and how many there are. */
import { keyNullSql, keyTextSql, type GroupKey } from './groupKeys.ts'
import { decidedRows, names, type Run, type Statement } from './seriesPlan.ts'

interface Ranking {
  /** The largest groups, the largest first. */
  largest: GroupKey[]
  /** The number of all groups. */
  total: number
}

/**
 * Groups are ranked by the values of the range as a whole, of the first series before the others, and equal ones by
 * their texts. Groups that only later statements have come after those of the first.
 * @param statements with `ranks`, those of all series, in their order
 */
export async function rankedGroups(statements: readonly Statement[], most: number, run: Run): Promise<Ranking> {
  const found = new Map<string, GroupKey>()
  let complete = true
  for (const statement of statements) {
    if (found.size >= most) {
      complete = false
      break
    }
    const { largest, total } = await rankedIn(statement, most, run)
    if (statements.length === 1) return { largest, total }
    complete &&= total <= most
    for (const key of largest) found.set(JSON.stringify(key), key)
  }
  const largest = [...found.values()].slice(0, most)
  return { largest, total: complete ? found.size : await countedGroups(statements, run) }
}

async function rankedIn(statement: Statement, most: number, run: Run): Promise<Ranking> {
  const rows = await decidedRows(statement, (decided) => rankingSql(decided, most), run)
  const largest = rows
    .slice(0, most)
    .map((row) =>
      partsOf(statement).map((at) => (row[names.keyNull(at)] === 1 ? null : String(row[names.keyText(at)]))),
    )
  return { largest, total: Number(rows[0]?.[names.total] ?? 0) }
}

const partsOf = ({ groups }: Statement): number[] => Array.from({ length: groups }, (_, at) => at)

/** Rows that are only there for their time series have no group. */
const isPresent = ({ sql }: Statement): string => (sql.includes(names.absent) ? `NOT ${names.absent}` : 'true')

function rankingSql(statement: Statement, most: number): string {
  const { sql, plans } = statement
  const parts = partsOf(statement)
  const keys = parts.map(
    (at) =>
      `${keyTextSql(names.group(at))} AS ${names.keyText(at)}, ${keyNullSql(names.group(at))} AS ${names.keyNull(at)}`,
  )
  // The engine puts NaN and NULL last in any order.
  const order = [
    `${isPresent(statement)} DESC`,
    ...plans.map(({ index }) => `${names.value(index)} DESC`),
    ...parts.flatMap((at) => [names.keyText(at), names.keyNull(at)]),
  ].join(', ')
  const counted = `SELECT *, ${keys.join(', ')}, countIf(${isPresent(statement)}) OVER () AS ${names.total} FROM (${sql})`
  if (!sql.includes(names.undecided)) return `${counted} ORDER BY ${order} LIMIT ${most}`
  // Whether a time series is new may decide the rank of any group.
  return `SELECT * FROM (SELECT *, row_number() OVER (ORDER BY ${order}) AS __place FROM (${counted}))
    WHERE __place <= ${most} OR notEmpty(${names.undecided}) ORDER BY __place`
}

/** The number of groups that any of some statements have. */
async function countedGroups(statements: readonly Statement[], run: Run): Promise<number> {
  const all = statements.map((statement) => {
    const parts = partsOf(statement).map(names.group)
    const key = parts.flatMap((part) => [keyTextSql(part), keyNullSql(part)]).join(', ')
    return `SELECT (${key}) AS __key FROM (${statement.sql}) WHERE ${isPresent(statement)}`
  })
  const params = Object.assign({}, ...statements.map(({ bindings }) => bindings.params))
  const rows = await run(`SELECT uniqExact(__key) AS ${names.total} FROM (${all.join(' UNION ALL ')})`, params)
  return Number(rows[0]?.[names.total])
}
