/** Texts about the scope and the expiry of personal tokens. */
import type { Connection } from '#contract/console/connections.ts'
import type { Token } from '#contract/console/people.ts'

const day = 86_400_000
/** Names in a cell of a table; the rest is counted. */
const maxNames = 3

/** "all", or the names of the connections. Those that were deleted, or that the person does not see any more, are counted. */
export function formatScope(
  ids: Token['connections'],
  connections: readonly Pick<Connection, 'id' | 'name'>[],
): string {
  if (ids === null) return 'all'
  const names = connections.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  const gone = ids.length - names.length
  const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names
  const more = names.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : []), ...(gone > 0 ? [`${gone} no longer available`] : [])].join(
    ', ',
  )
}

/** Whether a token ends within a week. @param now epoch milliseconds */
export function endsSoon({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean {
  return Date.parse(expiresAt) - now < 7 * day
}
