/** Whether a link shows something now: it depends on its connection and on the role of its creator. */
import type { z } from 'zod'
import { locationOf } from '#contract/console/deployments.ts'
import type { sharedLinkInput } from '#contract/console/sharedLinks.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import type { Connections } from '../connections/connections.ts'
import { linkRefusals } from '../connections/linkRefusals.ts'
import { reasonAgainst, type Access } from '../identity/access/access.ts'
import type { CurrentAccess } from '../identity/people/currentAccess.ts'
import { spanAt } from './sharedReads.ts'
import type { SharedLinkStore, StoredLink } from './sharedLinkStore.ts'
import { statementOf } from './sharedSql.ts'

interface StateDependencies {
  store: SharedLinkStore
  connections: Connections
  currentAccess: CurrentAccess
}

/** Raw SQL tiles of a link. */
const maxStatements = 20

/** Whether links may be shared: of a production deployment only if its connections say so. */
export function allowsLinks(connections: Connections, connectionId: string): boolean {
  const all = connections.list()
  const connection = all.find(({ id }) => id === connectionId)
  return connection !== undefined && linkRefusals(all, () => false)(connection) === undefined
}

/** Why a link shows nothing, for those who see its connection; undefined if it does. */
export async function problemOf(
  { store, connections, currentAccess }: StateDependencies,
  link: StoredLink,
): Promise<string | undefined> {
  const { connectionId } = link
  if (link.revokedAt !== null) return 'It was revoked.'
  if (store.isExpired(link)) return 'It has expired.'
  const stage = connections.stageOf(connectionId)
  if (stage === undefined) return 'Its connection was deleted.'
  if (!allowsLinks(connections, connectionId)) return 'Shared links are off on this production deployment.'
  const access = await currentAccess.accessOf(link.by)
  // Everybody who may write may run SQL as well.
  if (!access || reasonAgainst(access, connections, { connectionId, stage }, 'write') !== undefined) {
    return `${link.creator} may not share links of this connection any more.`
  }
  return leadsElsewhere(connections, link)
    ? 'The connection leads to another deployment now, or has no key.'
    : undefined
}

function leadsElsewhere(connections: Connections, { connectionId, deployment }: StoredLink): boolean {
  try {
    return locationOf(connections.open(connectionId)).deployment !== deployment
  } catch (error) {
    if (error instanceof ApiFailure) return true
    throw error
  }
}

/** @throws forbidden for statements of people who may not run SQL, and invalid for those that cannot be filled, and for too many */
export function refuseSql(
  connections: Connections,
  connectionId: string,
  access: Access | null,
  { content, range }: Pick<z.output<typeof sharedLinkInput>, 'content' | 'range'>,
): void {
  const statements = content.tiles.flatMap(({ content: tile }) => (tile.kind === 'sql' ? [tile] : []))
  if (statements.length === 0) return
  const stage = connections.stageOf(connectionId)
  if (!access || stage === undefined) throw failure('forbidden', 'SQL needs a role on this connection.')
  const reason = reasonAgainst(access, connections, { connectionId, stage }, 'query')
  if (reason !== undefined) throw failure('forbidden', reason)
  if (statements.length > maxStatements) {
    throw failure('invalid', `A link shows at most ${maxStatements} Raw SQL tiles, and these are ${statements.length}.`)
  }
  for (const statement of statements) statementOf(statement, spanAt(range, currentTime()))
}
