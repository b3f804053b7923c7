/** One sampler for each connection, which ends with the last session that uses it. Consoles share what their samplers take. */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { prometheus } from '#contract/cloud/prometheus.ts'
import { fillPath, pathTemplate } from '#contract/wire/kernel.ts'
import type { PipeSamples, pipeSamplesQuery, SamplingState } from '#contract/console/sampling/pipeSamples.ts'
import type {
  ServiceLoadResponse,
  serviceLoadQuery,
  ServiceSamples,
  serviceSamplesQuery,
} from '#contract/console/sampling/serviceSamples.ts'
import type { SizeLoads } from '#contract/console/sampling/sizeLoads.ts'
import { measuredLoad } from '#domain/sizing/measuredLoad.ts'
import type { Connections } from '../connections/connections.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { idleTimeout } from '../identity/sessions/sessions.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { selectSamples } from './retainedSamples.ts'
import { defaultIntervals, type SamplingIntervals } from './samplingInterval.ts'
import { readSamples } from './readSamples.ts'
import { Sampler, type MetricsSource } from './sampler.ts'
import type { ServiceLoads } from './serviceLoads.ts'
import type { SampledConnection, SharedSamples } from './sharedSamples.ts'
import type { SizeLoadStore } from './sizeLoads.ts'
import type { SizePredictions } from './sizePredictions.ts'

/** Connections with a sampler. Beyond, the least recently used one is removed. */
const maxWatched = 16

interface WatchedConnection {
  revision: string
  sampler: Sampler
  /** When each session last used it, epoch milliseconds. */
  sessions: Map<string, number>
}

/** Who asks, and for which connection. */
interface Asker {
  connectionId: string
  sessionKey: string
}

/** New samples since a time. */
type Since = Pick<z.output<typeof pipeSamplesQuery>, 'minutes' | 'run' | 'after' | 'retry'>

interface SamplerDependencies {
  intervals?: SamplingIntervals | undefined
  /** The usage of services: every scrape is added. */
  loads: ServiceLoads
  /** By hour, of pipes and services. */
  sizeLoads: SizeLoadStore
  /** The load that was expected at chosen sizes. */
  predictions: SizePredictions
  /** On a database of several consoles. Otherwise samples are in memory only. */
  shared?: SharedSamples | undefined
}

/** Milliseconds between two checks for expired sessions. */
const sweepInterval = 3_600_000

export class Samplers {
  readonly #watched = new Map<string, WatchedConnection>()
  readonly #sweep = setInterval(() => this.#evictIdle(), sweepInterval).unref()

  readonly #connections: Connections
  readonly #deployments: Deployments
  readonly #parts: SamplerDependencies

  constructor(connections: Connections, deployments: Deployments, parts: SamplerDependencies) {
    this.#connections = connections
    this.#deployments = deployments
    this.#parts = parts
  }

  /** The samples of a connection's pipes. Starts or continues sampling. @throws notFound, notOffered */
  async pipes(request: Asker & z.output<typeof pipeSamplesQuery>): Promise<PipeSamples> {
    const { sampler, since, state } = await this.#sampleNow(request)
    return { ...state, pipes: selectSamples(sampler.pipes, request.pipes, since) }
  }

  /** The samples of one of its services, from the same scrapes. @throws notFound, notOffered */
  async service(request: Asker & z.output<typeof serviceSamplesQuery>): Promise<ServiceSamples> {
    const { sampler, since, state } = await this.#sampleNow(request)
    const [found] = selectSamples(sampler.services, [request.service], since)
    return { ...state, samples: found?.samples ?? [] }
  }

  /** The memory that one of its services used over the last day. @throws notFound, notOffered */
  async serviceLoad(request: Asker & z.output<typeof serviceLoadQuery>): Promise<ServiceLoadResponse> {
    const { sampler, state, place } = await this.#sampleNow(request)
    const status = sampler.services.get(request.service)?.at(-1)?.status ?? null
    return { ...state, status, load: await this.#parts.loads.of(place, request.service) }
  }

  /** The load of all pipes and services over the last days, and what was expected of sizes. @throws notFound, notOffered */
  async sizeLoads(request: Asker): Promise<SizeLoads> {
    const { state, place } = await this.#sampleNow(request)
    const measured = await this.#parts.sizeLoads.of(place)
    const loads = measured.flatMap(({ resource, id, hours }) => {
      const load = measuredLoad(hours)
      return load ? [{ resource, id, load }] : []
    })
    return { ...state, loads, predictions: await this.#parts.predictions.of(request.connectionId, measured) }
  }

  async #sampleNow({ connectionId, sessionKey, minutes, run: known, after = 0, retry }: Asker & Since) {
    const { sampler, sessions, revision } = this.#watch(connectionId)
    sessions.set(sessionKey, performance.now())
    await sampler.sample(retry === 'true')
    const oldest = minutes === undefined ? 0 : currentTime() - minutes * 60_000
    const { run, at, error } = sampler
    const state: SamplingState = { run, at, error, ...sampler.pace }
    const since = Math.max(oldest, known === run ? after : 0)
    return { sampler, since, state, place: { connectionId, revision } }
  }

  /** Removes an ended session, and the samplers that no other session uses. */
  leave(sessionKey: string): void {
    for (const [id, { sessions }] of this.#watched) {
      sessions.delete(sessionKey)
      if (sessions.size === 0) this.forget(id)
    }
  }

  close(): void {
    clearInterval(this.#sweep)
    for (const id of this.#watched.keys()) this.forget(id)
  }

  /** The sampler of a connection in its current revision, because an edit may lead to another deployment. */
  #watch(connectionId: string): WatchedConnection {
    const target = this.#openTarget(connectionId)
    const old = this.#watched.get(connectionId)
    this.#watched.delete(connectionId)
    if (old?.revision === target.revision) {
      // Moved to the end: the first ones are removed first.
      this.#watched.set(connectionId, old)
      return old
    }
    old?.sampler.close()
    const template = pathTemplate(prometheus.organization, target.variant, target.names)
    if (template === null) throw failure('notOffered', 'The open-source variant does not offer prometheus.')
    const created = {
      revision: target.revision,
      sampler: this.#sampler(target, template),
      sessions: new Map<string, number>(),
    }
    this.#watched.set(connectionId, created)
    const [first = ''] = this.#watched.keys()
    if (this.#watched.size > maxWatched) this.forget(first)
    return created
  }

  #openTarget(connectionId: string): UpstreamTarget {
    try {
      return this.#connections.open(connectionId)
    } catch (error) {
      this.forget(connectionId)
      throw error
    }
  }

  #sampler(target: UpstreamTarget, template: string): Sampler {
    const { connectionId, revision, organizationId } = target
    /** The key is read each time: it is not held here, and a deleted or edited connection is not read any more. */
    const open = () => {
      const current = this.#openTarget(connectionId)
      if (current.revision !== revision) this.forget(connectionId)
      return current
    }
    let budget = this.#deployments.budgetOf(target)
    const path = fillPath(template, { organizationId })
    const query = new URLSearchParams({ filtered_metrics: 'true' })
    const scrape: MetricsSource['scrape'] = async ({ after, shownPace, dueAt, signal }) => {
      const current = open()
      signal.throwIfAborted()
      budget = this.#deployments.budgetOf(current)
      const operation = { endpoint: prometheus.organization, path, query, priority: 'background', signal } as const
      const { result } = await this.#deployments.read(current, operation)
      // Times identify samples, so a clock that was set back must not repeat one.
      const at = Math.max(currentTime(), after + 1)
      // A scrape that waits for other requests of the key, or for a slow deployment, makes the interval longer.
      const waited = Math.max(0, at - Math.max(dueAt, after))
      const found = readSamples(String(result))
      await this.#parts.loads.add({ connectionId, revision }, { at, services: found.services })
      await this.#parts.sizeLoads.add({ connectionId, revision }, { at, after, ...found })
      return [{ at, pace: shownPace + waited, ...found }]
    }
    const source: MetricsSource = {
      run: randomUUID(),
      scrape,
      follow: async () => [],
      budget: () => {
        const { limit, remaining } = budget.state()
        return { spacing: budget.spacing, left: Number.isFinite(limit) ? remaining / limit : 1 }
      },
    }
    const { shared, intervals = defaultIntervals } = this.#parts
    return new Sampler(shared ? sharedSource(source, { connectionId, revision }, shared) : source, intervals)
  }

  #evictIdle(): void {
    const since = performance.now() - idleTimeout
    for (const { sessions } of this.#watched.values())
      for (const [key, usedAt] of sessions) if (usedAt < since) this.leave(key)
  }

  /** Begins again, after the clock was set back: new samples would be older than those that are known. */
  forgetAll(): void {
    for (const id of this.#watched.keys()) this.forget(id)
  }

  /** Removes the samples of a connection that was edited or deleted. */
  forget(connectionId: string): void {
    this.#watched.get(connectionId)?.sampler.close()
    this.#watched.delete(connectionId)
  }
}

/** A source whose samples all consoles of a database have. */
function sharedSource(source: MetricsSource, place: SampledConnection, shared: SharedSamples): MetricsSource {
  const follow = (after: number) => shared.after(place, after)
  return {
    ...source,
    // The same on all consoles.
    run: place.revision,
    follow,
    scrape: async (order) => {
      const known = await follow(order.after)
      const isFirst = order.after === 0 && known.length === 0
      if (await shared.claim(place, isFirst ? 0 : order.pace)) {
        // Another console may have taken the last one, at its own interval.
        const { at: after = order.after, pace = 0 } = known.at(-1) ?? {}
        const shownPace = Math.max(order.shownPace, pace)
        for (const taken of await source.scrape({ ...order, after, shownPace })) await shared.add(place, taken)
      }
      return follow(order.after)
    },
  }
}
