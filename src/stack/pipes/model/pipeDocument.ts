/**
 * A stored data pipe with its pending changes. The state at a time is derived from stored times on every read, so a
 * restart in between changes nothing (docs/DEPLOYMENTS.md#pipes, #scaling-of-pipes).
 */
import { pipeFamilies, pipeKind, type PipeFamily, type PipeKind } from '#contract/cloud/pipeKinds.ts'
import { defaultPipeSize } from '#domain/sizing/pipePrices.ts'
import { simulatedDetail, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import type { PipeScalingParameter } from '#contract/cloud/pipes/pipeScaling.ts'
import { effectiveAt } from '../../documents/pendingChange.ts'
import type { CloudBehavior } from './cloudBehavior.ts'
import { advance, type ModelSize, type PipeModel } from './simulatedThroughput.ts'

export type PipeSecrets = Record<string, unknown>

export interface PipeDocument extends Pipe {
  serviceId: string
  name: string
  state: string
  /** The values in effect. Responses show the requested values. */
  scaling?: Pipe['scaling']
  /** Stored, never returned. */
  internal: {
    /** The next state and when it begins. */
    change?: { to: string; at: string }
    /** Requested scaling parameters, when they were requested and when they take effect. */
    scaling?: { values: Partial<Record<PipeScalingParameter, number>>; asked: string; at: string }
    /** The credentials of the source, by the path of their field. */
    secrets?: PipeSecrets
    /** The state of a simulated pipe at its last change. */
    model?: PipeModel
    /** A full copy was requested. */
    resync?: boolean
  }
}

/** The kind and family of a pipe of this stack: each has one. */
export function kindOf(pipe: Pick<Pipe, 'source'>): PipeKind {
  const kind = pipeKind(pipe)
  if (!kind) throw new TypeError('a pipe has one source')
  return kind
}

export function familyOf(pipe: Pick<Pipe, 'source'>): PipeFamily {
  return pipeFamilies[kindOf(pipe)]
}

/** Whether a pipe follows a model instead of moving data. */
export function isSimulated({ internal }: Pick<PipeDocument, 'internal'>): boolean {
  return internal.model !== undefined
}

/** The document with all due changes applied in order. */
export function settledPipe(stored: PipeDocument, now: number): PipeDocument {
  const { change, scaling } = stored.internal
  const document = {
    ...stored,
    internal: {
      ...stored.internal,
      ...(change && { change: { ...change, at: isoAt(change, now) } }),
      ...(scaling && { scaling: { ...scaling, at: isoAt(scaling, now) } }),
    },
  }
  const due = [change, scaling]
    .map((step) => (step ? effectiveAt(step, now) : Number.NaN))
    .filter((at) => at <= now)
    .toSorted((a, b) => a - b)
  return due.reduce(settledAt, document)
}

const isoAt = (step: { at: string }, now: number) => new Date(effectiveAt(step, now)).toISOString()

/** The document with the changes that are due at a time. A simulated pipe is first advanced to that time. */
function settledAt(document: PipeDocument, at: number): PipeDocument {
  const { change, scaling, ...rest } = anchored(document, at).internal
  const changed = change !== undefined && at >= Date.parse(change.at)
  const scaled = scaling !== undefined && at >= Date.parse(scaling.at)
  return {
    ...document,
    ...(changed && { state: change.to }),
    ...(scaled && { scaling: { ...document.scaling, ...scaling.values } }),
    internal: { ...rest, ...(change && !changed && { change }), ...(scaling && !scaled && { scaling }) },
  }
}

/** Advances a simulated pipe to a time. Call this before a change that affects its throughput. */
export function anchored(document: PipeDocument, at: number): PipeDocument {
  const { model } = document.internal
  if (!model) return document
  const size = document.state === 'Running' ? sizeOf(document) : null
  return { ...document, internal: { ...document.internal, model: advance(document.id, model, size, at) } }
}

/** The size of a streaming pipe. */
export function sizeOf({ scaling }: Pick<Pipe, 'scaling'>): ModelSize {
  return {
    replicas: scaling?.replicas ?? defaultPipeSize.replicas,
    replicaCpuMillicores: scaling?.replicaCpuMillicores ?? defaultPipeSize.replicaCpuMillicores,
    replicaMemoryGb: scaling?.replicaMemoryGb ?? defaultPipeSize.replicaMemoryGb,
  }
}

/** States in which a pipe moves data, or will. */
const activeStates: readonly string[] = [
  'Provisioning',
  'Setup',
  'Snapshot',
  'Running',
  'Modifying',
  'Resync',
  'Degraded',
]

export function isActive(pipe: PipeDocument): boolean {
  return activeStates.includes(pipe.state)
}

/** The states while and after stopping a pipe of a family. */
export const stopStates: Record<PipeFamily, { via: string; to: string }> = {
  streaming: { via: 'Stopping', to: 'Stopped' },
  objectStorage: { via: 'Stopping', to: 'Stopped' },
  database: { via: 'Pausing', to: 'Paused' },
}

/** The state of a pipe of a family once it is provisioned. */
export const readyStates: Record<PipeFamily, string> = {
  streaming: 'Running',
  objectStorage: 'Running',
  database: 'Setup',
}

/** The pipe while it changes to another state. */
export function startTransition(pipe: PipeDocument, state: string, to: string, at: string): PipeDocument {
  const detail = isSimulated(pipe) ? simulatedDetail : null
  return { ...pipe, state, stateDetail: detail, internal: { ...pipe.internal, change: { to, at } } }
}

/** The pipe in responses. */
export function pipeAnswer(document: PipeDocument, behavior: CloudBehavior, now: number): Pipe {
  const settled = settledPipe(document, now)
  const { internal, ...pipe } = { ...settled, source: answeredSource(settled.source) }
  if (!pipe.scaling) return pipe
  const blank = isBlank(internal.scaling, behavior, now)
  const shown = (scaling: Scaling) => {
    const reported = blank ? withoutValues(scaling) : scaling
    return behavior.quantityStrings ? asQuantities(reported) : reported
  }
  return {
    ...pipe,
    // Clients read once after a change, and take other values than requested as a failure.
    scaling: shown({ ...pipe.scaling, ...internal.scaling?.values }),
    currentScaling: shown(pipe.scaling),
  }
}

/** Clients recreate a Postgres pipe without `deleteOnMerge`, so responses always have it. */
function answeredSource(source: Pipe['source']): Pipe['source'] {
  const postgres = source?.postgres
  return postgres
    ? { ...source, postgres: { ...postgres, settings: { deleteOnMerge: false, ...postgres.settings } } }
    : source
}

/** Zeros are shown in the first half of a change. */
function isBlank(scaling: PipeDocument['internal']['scaling'], behavior: CloudBehavior, now: number): boolean {
  if (!scaling || !behavior.transientZeros) return false
  return now < (Date.parse(scaling.asked) + Date.parse(scaling.at)) / 2
}

type Scaling = Pipe['scaling']

function withoutValues(scaling: Scaling): Scaling {
  return { ...scaling, replicas: 0, replicaCpuMillicores: 0, replicaMemoryGb: 0 }
}

/** Deployments may return quantities instead of numbers. The contract accepts both (`pipeScaling`). */
function asQuantities(scaling: Scaling): Scaling {
  if (!scaling) return scaling
  const { replicaCpuMillicores: cpu, replicaMemoryGb: memory } = scaling
  const spelled = {
    ...scaling,
    ...(cpu != null && { replicaCpuMillicores: `${cpu}m` }),
    ...(memory != null && { replicaMemoryGb: `${memory * 1024}Mi` }),
  }
  return spelled as unknown as Scaling // the spelling on the wire, before the contract reads it
}
