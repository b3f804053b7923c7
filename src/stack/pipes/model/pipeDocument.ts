/**
 * A data pipe as it is kept: what answers carry, and what is under way. What time alone decides is worked out from stored
 * times on every read, so that a restart in between changes nothing (managed reference 5 and 6).
 */
import { pipeFamilies, pipeKind, type PipeFamily, type PipeKind } from '#contract/pipeKinds.ts'
import { defaultPipeSize } from '#contract/pipePrices.ts'
import type { Pipe } from '#contract/pipes.ts'
import type { PipeScalingParameter } from '#contract/pipeScaling.ts'
import type { CloudBehavior } from './cloudBehavior.ts'
import { advance, type ModelSize, type PipeModel } from './simulatedThroughput.ts'

export type PipeSecrets = Record<string, unknown>

export interface PipeDocument extends Pipe {
  serviceId: string
  name: string
  state: string
  /** What is in effect. Answers show what was asked for in its place. */
  scaling?: Pipe['scaling']
  /** Kept, never answered. */
  internal: {
    /** The state that follows, and from when on it holds. */
    change?: { to: string; at: string }
    /** Knobs that were turned: asked for, and in force from then on. */
    scaling?: { values: Partial<Record<PipeScalingParameter, number>>; asked: string; at: string }
    /** What the source was given to authenticate with, by the path of its field. */
    secrets?: PipeSecrets
    /** Where a simulated pipe stood when it was last changed. */
    model?: PipeModel
    /** A full copy was asked for. */
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

/** The document with everything applied that is due, in the order in which it fell due. */
export function settledPipe(document: PipeDocument, now: number): PipeDocument {
  const { change, scaling } = document.internal
  const due = [change, scaling]
    .map((step) => (step ? Date.parse(step.at) : Number.NaN))
    .filter((at) => at <= now)
    .toSorted((a, b) => a - b)
  return due.reduce(settledAt, document)
}

/** The document with what is due by then; a simulated pipe is brought to that moment first, as it was until then. */
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

/** A simulated pipe brought to a moment: do this before anything is changed that its numbers answer to. */
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

/** States in which a pipe is meant to move data, once it can. */
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

/** The states between which stopping a pipe of a family goes. */
export const stopStates: Record<PipeFamily, { via: string; to: string }> = {
  streaming: { via: 'Stopping', to: 'Stopped' },
  objectStorage: { via: 'Stopping', to: 'Stopped' },
  database: { via: 'Pausing', to: 'Paused' },
}

/** What a pipe of a family is once it has been provided for. */
export const readyStates: Record<PipeFamily, string> = {
  streaming: 'Running',
  objectStorage: 'Running',
  database: 'Setup',
}

/** The state detail of pipes without a source behind them. */
export const simulated = 'simulated: no broker is read; rates, lag and usage follow a model that answers to the size'

/** The pipe on its way to another state. */
export function moving(pipe: PipeDocument, state: string, to: string, at: string): PipeDocument {
  const detail = familyOf(pipe) === 'streaming' ? simulated : null
  return { ...pipe, state, stateDetail: detail, internal: { ...pipe.internal, change: { to, at } } }
}

/** What an answer holds. */
export function pipeAnswer(document: PipeDocument, behavior: CloudBehavior, now: number): Pipe {
  const settled = settledPipe(document, now)
  const { internal, ...pipe } = { ...settled, source: answeredSource(settled.source) }
  if (!pipe.scaling) return pipe
  const blank = isBlank(internal.scaling, behavior, now)
  const shown = (scaling: Scaling) => {
    const reported = blank ? blanked(scaling) : scaling
    return behavior.quantityStrings ? asQuantities(reported) : reported
  }
  return {
    ...pipe,
    // Clients read once after a change, and take anything but what they asked for as a failure.
    scaling: shown({ ...pipe.scaling, ...internal.scaling?.values }),
    currentScaling: shown(pipe.scaling),
  }
}

/** Clients take a Postgres pipe that does not say `deleteOnMerge` for another one, and make it again. */
function answeredSource(source: Pipe['source']): Pipe['source'] {
  const postgres = source?.postgres
  return postgres
    ? { ...source, postgres: { ...postgres, settings: { deleteOnMerge: false, ...postgres.settings } } }
    : source
}

/** Placeholders are shown in the first half of a change. */
function isBlank(scaling: PipeDocument['internal']['scaling'], behavior: CloudBehavior, now: number): boolean {
  if (!scaling || !behavior.transientZeros) return false
  return now < (Date.parse(scaling.asked) + Date.parse(scaling.at)) / 2
}

type Scaling = Pipe['scaling']

function blanked(scaling: Scaling): Scaling {
  return { ...scaling, replicas: 0, replicaCpuMillicores: 0, replicaMemoryGb: 0 }
}

/** Deployments may write quantities where the contract reads numbers: it reads both (`pipeScaling`). */
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
