/**
 * The reads of telemetry that this page waits for, each with the name that it has at the deployment, so that their
 * progress can be asked for.
 */
import { hashKey, type QueryKey } from '@tanstack/react-query'
import { answerKey, answers } from './offers.ts'

/** The `subjectOf` of `charts.progress`, whose schemas pages that only list rows do not load. */
const progressFeature = 'charts progress'

/** The names of the requests of a read, by connection and read. */
const running = new Map<string, Map<string, Set<string>>>()

/**
 * Runs one request of a read under a name of its own, which it is given; undefined for deployments that do not tell the
 * progress of requests.
 * @param read the key of the read in the cache; undefined for requests whose progress nobody asks for
 */
export async function trackProgress<T>(
  connectionId: string,
  read: QueryKey | undefined,
  request: (queryId: string | undefined) => Promise<T>,
): Promise<T> {
  const isTold = answers.state[answerKey(connectionId, progressFeature)] !== 'notOffered'
  if (!read || !isTold) return request(undefined)
  const queryId = crypto.randomUUID()
  const ofConnection = running.get(connectionId) ?? new Map<string, Set<string>>()
  running.set(connectionId, ofConnection)
  const name = hashKey(read)
  const ids = ofConnection.get(name) ?? new Set()
  ofConnection.set(name, ids.add(queryId))
  try {
    return await request(queryId)
  } finally {
    ids.delete(queryId)
    if (ids.size === 0) ofConnection.delete(name)
  }
}

/** The names of the requests that a read waits for. */
export function namesOf(connectionId: string, read: QueryKey): readonly string[] {
  return [...(running.get(connectionId)?.get(hashKey(read)) ?? [])]
}

/** The names of all reads of a connection. */
export function allNamesOf(connectionId: string): readonly string[] {
  return [...(running.get(connectionId)?.values() ?? [])].flatMap((ids) => [...ids])
}
