/** Labels and states of data pipes. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { pipeFamilies, pipeKind, pipeKindNames, type PipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipeSizes } from '#domain/sizing/pipePrices.ts'
import type { PipeScaling } from '#contract/cloud/pipes/pipeScaling.ts'
import { pipeStates, type Pipe, type PipeCommand } from '#contract/cloud/pipes/pipes.ts'

const tones: Record<string, ChipTone> = {
  Running: 'ok',
  Completed: 'ok',
  Snapshot: 'accent',
  Setup: 'accent',
  Provisioning: 'accent',
  Modifying: 'accent',
  Resync: 'accent',
  Degraded: 'warn',
  Paused: 'warn',
  Failed: 'bad',
  InternalError: 'bad',
}

/** Unknown states are neutral. */
export function stateTone(state: string | null | undefined): ChipTone {
  return tones[state ?? ''] ?? 'neutral'
}

export const stateOptions = pipeStates.map((state) => ({ value: state, label: stateLabel(state) }))

/** `InternalError` -> "Internal error". */
export function stateLabel(state: string | null | undefined): string {
  if (!state) return 'Unknown'
  const spaced = state.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return spaced.charAt(0) + spaced.slice(1).toLowerCase()
}

/** States that end without a command, so the pipe is polled more often. */
const transitionalStates = [
  'Unknown',
  'Provisioning',
  'Setup',
  'Snapshot',
  'Stopping',
  'Pausing',
  'Modifying',
  'Resync',
]
export const isTransitional = (pipe: Pipe): boolean => transitionalStates.includes(pipe.state ?? '')

export const isRunning = (pipe: Pipe): boolean => ['Running', 'Snapshot', 'Degraded'].includes(pipe.state ?? '')

/** Whether the pipe completes once all files are loaded. */
export const isOneTimeLoad = (pipe: Pipe): boolean =>
  isRunning(pipe) && pipe.source?.objectStorage?.isContinuous === false

/** Whether the pipe uses the size that all database pipes of its service share. */
export function isDatabasePipe(pipe: Pipe): boolean {
  const kind = pipeKind(pipe)
  return kind !== null && pipeFamilies[kind] === 'database'
}

export const pipeName = (pipe: Pick<Pipe, 'id' | 'name'>): string => pipe.name || pipe.id

/** "Kafka", or the deployment's own name of an unknown source type. */
export function formatPipeKind(pipe: Pipe): string {
  const kind = pipeKind(pipe)
  if (kind) return pipeKindNames[kind]
  return Object.entries(pipe.source ?? {}).find(([, arm]) => arm != null)?.[0] ?? 'unknown'
}

export const kindOptions = Object.values(pipeKindNames).map((name) => ({ value: name, label: name }))

/** The name of a listed size, such as "L". Null for other sizes. */
export function sizeName(size: { cpu: number | null; memory: number | null }): string | null {
  const found = pipeSizes.find(
    (pipeSize) => pipeSize.replicaCpuMillicores === size.cpu && pipeSize.replicaMemoryGb === size.memory,
  )
  return found?.name ?? null
}

/** "2 × S", "concurrency 4", "shared". */
export function formatScaling(kind: PipeKind | null, scaling: PipeScaling | null | undefined): string {
  if (kind && pipeFamilies[kind] === 'database') return 'shared'
  const { replicas, replicaCpuMillicores: cpu, replicaMemoryGb: memory, concurrency } = scaling ?? {}
  if (kind && pipeFamilies[kind] === 'objectStorage') {
    if (concurrency == null) return ''
    return concurrency === 0 ? 'concurrency auto' : `concurrency ${concurrency}`
  }
  if (!replicas || !cpu || !memory) return ''
  const size = sizeName({ cpu, memory })
  return `${replicas} × ${size ?? `${cpu / 1000} vCPU, ${memory} GiB`}`
}

interface PipeCommandLabels {
  label: string
  /** The consequence, shown in the confirmation. */
  effect: string
  danger: boolean
}

export const pipeCommandLabels: Record<PipeCommand, PipeCommandLabels> = {
  start: {
    label: 'Start',
    effect: 'The pipe resumes from where it stopped. Its compute is billed while it runs.',
    danger: false,
  },
  stop: {
    label: 'Stop',
    effect:
      'The pipe stops reading; data that it has already read is still written. The source keeps unread data only for its own retention period. You can start the pipe again.',
    danger: false,
  },
  resync: {
    label: 'Resync',
    effect:
      'All mapped tables are copied from the source again and then swapped in. The copy reads the whole source and is billed as an initial load.',
    danger: true,
  },
}

const startable = ['Stopped', 'Failed', 'Paused', 'InternalError']
const halted = ['Stopped', 'Stopping', 'Paused', 'Pausing', 'Completed']

/** Why a command is not available. Undefined if it is, and for unknown states. */
export function commandReason(pipe: Pipe, command: PipeCommand): string | undefined {
  const state = pipe.state ?? ''
  const known = (pipeStates as readonly string[]).includes(state) && state !== 'Unknown'
  const kind = pipeKind(pipe)
  if (command === 'resync') {
    return kind && pipeFamilies[kind] !== 'database' ? 'Only database pipes can be resynced.' : undefined
  }
  if (!known) return undefined
  if (command === 'start') {
    return startable.includes(state)
      ? undefined
      : `A pipe that is ${stateLabel(state).toLowerCase()} cannot be started.`
  }
  return halted.includes(state) ? `The pipe is already ${stateLabel(state).toLowerCase()}.` : undefined
}
