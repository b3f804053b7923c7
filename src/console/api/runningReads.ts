/** The query IDs of the requests for telemetry that this page waits for, by which a deployment reports their progress. */
import { hashKey, type QueryKey } from '@tanstack/react-query'
import { answerKey, answers } from './offers/offers.ts'

/** The `subjectOf` of `charts.progress`, whose schemas pages that only list rows do not load. */
const progressFeature = 'charts progress'

/** The query IDs of the requests in flight, by connection and by the hash of the read's key in the cache. */
const running = new Map<string, Map<string, Set<string>>>()

/**
 * Runs one request of a read with a new query ID, or with undefined where the deployment does not report the progress of
 * requests.
 * @param read the key of the read in the cache; undefined for requests whose progress nobody asks for
 */
export async function trackProgress<T>(
  connectionId: string,
  read: QueryKey | undefined,
  request: (queryId: string | undefined) => Promise<T>,
): Promise<T> {
  const reportsProgress = answers.state[answerKey(connectionId, progressFeature)] !== 'notOffered'
  if (!read || !reportsProgress) return request(undefined)
  const queryId = crypto.randomUUID()
  const ofConnection = running.get(connectionId) ?? new Map<string, Set<string>>()
  running.set(connectionId, ofConnection)
  const readHash = hashKey(read)
  const ids = ofConnection.get(readHash) ?? new Set()
  ofConnection.set(readHash, ids.add(queryId))
  try {
    return await request(queryId)
  } finally {
    ids.delete(queryId)
    if (ids.size === 0) ofConnection.delete(readHash)
  }
}

/** The query IDs of the requests that a read waits for. */
export function queryIdsOf(connectionId: string, read: QueryKey): readonly string[] {
  return [...(running.get(connectionId)?.get(hashKey(read)) ?? [])]
}

/** The query IDs of all requests of a connection that are in flight. */
export function allQueryIds(connectionId: string): readonly string[] {
  return [...(running.get(connectionId)?.values() ?? [])].flatMap((ids) => [...ids])
}
