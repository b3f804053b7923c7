/** When the keys of connections expire, as the deployment reports it. */
import { apiKeys, type ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import type { ConnectionKey } from '#contract/console/apiKeyRotations.ts'
import { keyStatus, mayBeKeyOf } from '#domain/apiKeys/keyExpiry.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { Connections } from '../connections/connections.ts'

/** Milliseconds for which keys are not read again. Keys expire in days, and the rate limit is for others. */
const freshFor = 10 * 60_000
/** Milliseconds for which an error is kept. It may be over soon. */
const freshAfterError = 30_000
/** Connections that are remembered. */
const maxKnown = 500

export class ConnectionKeys {
  /** By connection, revision and writes: after a change of the connection or through it, keys are read again. */
  readonly #known = new Map<string, { until: number; keys: Promise<ConnectionKey> }>()
  readonly #connections: Connections
  readonly #deployments: Deployments
  readonly #now: () => number

  constructor(connections: Connections, deployments: Deployments, now = currentTime) {
    this.#connections = connections
    this.#deployments = deployments
    this.#now = now
  }

  /** @throws notOffered for an open-source connection, whose keys do not expire */
  of(connectionId: string): Promise<ConnectionKey> {
    const target = this.#connections.open(connectionId)
    if (target.variant !== 'managed') throw failure('notOffered', 'Keys of the open-source variant do not expire.')
    const place = `${connectionId} ${target.revision} ${this.#deployments.writesTo(target)}`
    const known = this.#known.get(place)
    if (known && known.until > this.#now()) return known.keys
    const entry = { until: this.#now() + freshFor, keys: this.#read(connectionId) }
    this.#known.set(place, entry)
    for (const oldest of [...this.#known.keys()].slice(0, -maxKnown)) this.#known.delete(oldest)
    void entry.keys.then(({ problem }) => {
      if (problem !== undefined) entry.until = this.#now() + freshAfterError
    })
    return entry.keys
  }

  async #read(connectionId: string): Promise<ConnectionKey> {
    const target = this.#connections.open(connectionId)
    const { keyId } = this.#connections.keyPairOf(connectionId)
    try {
      const { result } = await this.#deployments.read(target, {
        endpoint: apiKeys.list,
        path: upstreamPath(apiKeys.list, target, {}),
        priority: 'background',
      })
      const all = apiKeys.list.result.parse(result)
      return {
        keys: all.filter((key) => mayBeKeyOf(key, keyId)).map(possibleKey),
        expiring: all.filter((key) => keyStatus(key, this.#now()) === 'expiring').map(possibleKey),
      }
    } catch (error) {
      const problem =
        error instanceof ApiFailure ? error.error.message : 'The deployment’s list of keys cannot be read.'
      return { keys: [], expiring: [], problem }
    }
  }
}

function possibleKey({ id, name, expireAt }: ApiKey): ConnectionKey['keys'][number] {
  return { id, name, expireAt: expireAt ?? null }
}
