/** One sampler a connection, kept for the sessions that look at it and gone with the last of them. */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { prometheus } from '#contract/prometheus.ts'
import { fillPath, pathTemplate } from '#contract/kernel.ts'
import type { PipeSamples, pipeSamplesQuery } from '#contract/pipeSamples.ts'
import type { Connections } from '../connections/connections.ts'
import type { Deployments } from '../upstream/deployments.ts'
import { failure } from '../http/errors.ts'
import { idleTimeout } from '../sessions/sessions.ts'
import type { Target } from '../upstream/upstreamTarget.ts'
import { choose } from './kept.ts'
import { usualPace, type Pace } from './pace.ts'
import { readSamples } from './readSamples.ts'
import { Sampler } from './sampler.ts'

/** Connections that are sampled or remembered at the same time; beyond, what nobody looked at for longest goes. */
const mostWatched = 16

interface Watched {
  /** Names what it keeps. */
  run: string
  revision: string
  sampler: Sampler
  /** When each session looked last, epoch milliseconds. */
  sessions: Map<string, number>
}

export type SamplesRequest = z.output<typeof pipeSamplesQuery> & { connectionId: string; sessionKey: string }

/** Milliseconds between two searches for sessions whose time is over. */
const sweepPace = 3_600_000

export class Samplers {
  private readonly watched = new Map<string, Watched>()
  private readonly sweep = setInterval(() => this.forgetIdle(), sweepPace).unref()

  constructor(
    private readonly connections: Connections,
    private readonly deployments: Deployments,
    private readonly pace: Pace = usualPace,
  ) {}

  /** What is known of the pipes, and word that somebody looks. Throws notFound and notOffered. */
  async read({
    connectionId,
    sessionKey,
    pipes,
    minutes,
    run: known,
    after = 0,
    retry,
  }: SamplesRequest): Promise<PipeSamples> {
    const { run, sampler, sessions } = this.of(connectionId)
    sessions.set(sessionKey, Date.now())
    await sampler.sample(retry === 'true')
    const since = minutes === undefined ? 0 : Date.now() - minutes * 60_000
    const { at, error } = sampler
    const samples = choose(sampler.kept, pipes, Math.max(since, known === run ? after : 0))
    return { run, pipes: samples, at, error, ...sampler.pace }
  }

  /** A session has ended: what nobody else looks at is forgotten. */
  leave(sessionKey: string): void {
    for (const [id, { sessions }] of this.watched) {
      sessions.delete(sessionKey)
      if (sessions.size === 0) this.forget(id)
    }
  }

  close(): void {
    clearInterval(this.sweep)
    for (const id of this.watched.keys()) this.forget(id)
  }

  /** The sampler of a connection as it is now: an edit may have turned it to another deployment. */
  private of(connectionId: string): Watched {
    const target = this.opened(connectionId)
    const old = this.watched.get(connectionId)
    this.watched.delete(connectionId)
    if (old?.revision === target.revision) {
      // Behind the others again: those in front are the first to go.
      this.watched.set(connectionId, old)
      return old
    }
    old?.sampler.close()
    const template = pathTemplate(prometheus.organization, target.variant, target.names)
    if (template === null) throw failure('notOffered', 'The open-source variant does not offer prometheus.')
    const made = {
      run: randomUUID(),
      revision: target.revision,
      sampler: this.sampler(target, template),
      sessions: new Map<string, number>(),
    }
    this.watched.set(connectionId, made)
    const [first = ''] = this.watched.keys()
    if (this.watched.size > mostWatched) this.forget(first)
    return made
  }

  private opened(connectionId: string): Target {
    try {
      return this.connections.open(connectionId)
    } catch (error) {
      this.forget(connectionId)
      throw error
    }
  }

  private sampler(target: Target, template: string): Sampler {
    const { connectionId, revision, organizationId } = target
    /** The key is looked up each time: it is not kept here, and a connection that is gone or edited is asked no more. */
    const open = () => {
      const now = this.opened(connectionId)
      if (now.revision !== revision) this.forget(connectionId)
      return now
    }
    let budget = this.deployments.budgetOf(target)
    const path = fillPath(template, { organizationId })
    const query = new URLSearchParams({ filtered_metrics: 'true' })
    return new Sampler(
      {
        scrape: async (signal) => {
          const now = open()
          signal.throwIfAborted()
          budget = this.deployments.budgetOf(now)
          const operation = { endpoint: prometheus.organization, path, query, priority: 'background', signal } as const
          const { result } = await this.deployments.read(now, operation)
          return readSamples(String(result))
        },
        budget: () => {
          const { limit, remaining } = budget.state()
          return { spacing: budget.spacing, left: Number.isFinite(limit) ? remaining / limit : 1 }
        },
      },
      this.pace,
    )
  }

  private forgetIdle(): void {
    const since = Date.now() - idleTimeout
    for (const { sessions } of this.watched.values())
      for (const [key, lookedAt] of sessions) if (lookedAt < since) this.leave(key)
  }

  /** What was sampled of a connection that was edited or deleted is gone with it. */
  forget(connectionId: string): void {
    this.watched.get(connectionId)?.sampler.close()
    this.watched.delete(connectionId)
  }
}
