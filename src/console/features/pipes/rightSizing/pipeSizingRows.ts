/** The rows of pipes: streaming pipes by themselves, database pipes by the size that they share. */
import { call } from '#console/api/call.ts'
import { paths } from '#console/paths/paths.ts'
import { cdcScalingBounds, pipeScalingBounds } from '#contract/cloud/bounds.ts'
import { pipeFamilies, pipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipeSizes, pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { cdcScalingInput, type CdcScaling } from '#contract/cloud/pipes/pipeScaling.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import type { MeasuredLoad } from '#contract/console/sampling/sizeLoads.ts'
import { needsHours, type Advice } from '#domain/sizing/advice.ts'
import { advisePipeSize } from '#domain/sizing/pipeSize.ts'
import { formatPipeKind, formatScaling, isDatabasePipe, isRunning, pipeName } from '../model/pipeLabels.ts'
import type { PipeRow } from '../list/usePipes.ts'
import {
  cdcScalingParameters,
  cdcScalingTitles,
  effectiveValues,
  parametersFor,
  requestedValues,
  type ScalingParameter,
} from '../model/scalingParameters.ts'
import { pipeSizeOf } from '../scaling/cost.ts'
import { draftChanges } from '../scaling/draft.ts'
import { isBehind, keepsUp, measure, type Measured } from '../scaling/projection.ts'
import { writeScaling } from '../scaling/writeScaling.ts'
import { certaintyFor, type NextSize, type SizingRow } from './sizingRow.ts'
import { lagText } from './sizingTexts.ts'

const maxReplicas = Math.max(...pipeScalingBounds.flatMap(({ field, max }) => (field === 'replicas' ? [max] : [])))
const [sharedCpu] = cdcScalingBounds
/** All sizes that database pipes can share. */
const sharedSizes = Array.from({ length: (sharedCpu.max - sharedCpu.min) / sharedCpu.step + 1 }, (_, at) => {
  const replicaCpuMillicores = sharedCpu.min + at * sharedCpu.step
  return { replicaCpuMillicores, replicaMemoryGb: replicaCpuMillicores / 250 }
})

export interface PipeFacts {
  connectionId: string
  /** USD per compute unit per hour. */
  rate: number
  loadOf: (id: string) => MeasuredLoad | null
  samplesOf: (id: string) => readonly PipeSample[]
}

/** The row of a pipe that has a size of its own, or none. */
export function pipeRow(pipe: PipeRow, { connectionId, rate, loadOf, samplesOf }: PipeFacts): SizingRow {
  const kind = pipeKind(pipe)
  const now = pipeSizeOf(effectiveValues(pipe))
  const load = loadOf(pipe.id)
  const reason = reasonOf(pipe, now)
  const measured = now && measure(samplesOf(pipe.id), now.replicas).measured
  const advice = now && reason === null ? adviceOf(now, load, measured) : needsHours(0)
  const limits = limitsOf(now)
  return {
    id: `pipe ${pipe.id}`,
    name: pipeName(pipe),
    kind: formatPipeKind(pipe),
    service: pipe.serviceName,
    path: paths.scalePipe(connectionId, pipe.serviceId, pipe.id),
    resource: 'pipe',
    loadId: pipe.id,
    sizeNow: formatScaling(kind, pipe.currentScaling ?? pipe.scaling) || 'not reported',
    load,
    limits,
    advice,
    reason,
    certainty: certaintyFor(load, limits),
    next: now && nextOf(advice, now, parametersFor(kind).applicable, rate, measured),
    send: ({ values }) => writeScaling(connectionId, { serviceId: pipe.serviceId, dataPipeId: pipe.id }, pipe, values),
  }
}

/** Why a pipe cannot be judged, whatever is measured. */
function reasonOf(pipe: PipeRow, now: PipeSize | null): string | null {
  const kind = pipeKind(pipe)
  if (kind && pipeFamilies[kind] === 'objectStorage')
    return 'It has no size: it loads files with the memory of its service.'
  if (!isRunning(pipe)) return 'It is not running.'
  if (!now) return 'Its size is not reported.'
  const requested = pipeSizeOf(requestedValues(pipe))
  return requested && !isSameSize(requested, now) ? 'Another size was asked for and is not in effect yet.' : null
}

function adviceOf(now: PipeSize, load: MeasuredLoad | null, measured: Measured | null): Advice<PipeSize> {
  const demand = measured && isBehind(measured) ? measured.arrival / measured.perMillicore.middle : 0
  const advice = advisePipeSize({ now, load, demand, sizes: pipeSizes, maxReplicas })
  // The load of the last minutes says more than the peaks of days.
  if (advice.kind !== 'smaller' || !measured || keepsUp(measured, advice.size)) return advice
  const { cpu, memory } = advice.expected
  const atNow = (use: typeof cpu, limit: number) => use && { ...use, limit }
  const expected = {
    cpu: atNow(cpu, now.replicaCpuMillicores),
    memory: atNow(memory, now.replicaMemoryGb * 2 ** 30),
  }
  return { kind: 'keep', expected, isShort: false }
}

/** The row of the size that the database pipes of a service share. @param pipesOfIt with at least one */
export function databaseRow(
  pipesOfIt: readonly [PipeRow, ...PipeRow[]],
  size: CdcScaling | undefined,
  { connectionId, rate, loadOf }: PipeFacts,
): SizingRow {
  const [{ serviceId, serviceName }] = pipesOfIt
  // They all report the use of the shared size: the one that was measured longest says most.
  const [{ id: loadId }] = pipesOfIt.toSorted((a, b) => (loadOf(b.id)?.hours ?? 0) - (loadOf(a.id)?.hours ?? 0)) as [
    PipeRow,
    ...PipeRow[],
  ] // as many as there were
  const load = loadOf(loadId)
  const now = size ? { replicas: 1, ...size } : null
  const reason = pipesOfIt.some(isRunning)
    ? now
      ? null
      : 'Its size is not read yet.'
    : 'None of its pipes is running.'
  const advice =
    now && reason === null ? advisePipeSize({ now, load, sizes: sharedSizes, maxReplicas: 1 }) : needsHours(0)
  const limits = limitsOf(now)
  return {
    id: `databasePipes ${serviceId}`,
    name: `Database pipes of ${serviceName}`,
    kind: 'Shared size',
    service: serviceName,
    path: paths.pipeSize(connectionId, serviceId),
    resource: 'pipe',
    loadId,
    sizeNow: size ? sharedText(size) : 'not reported',
    load,
    limits,
    advice,
    reason,
    certainty: certaintyFor(load, limits),
    next: now && nextOf(advice, now, cdcScalingParameters, rate, null),
    send: ({ values }) =>
      call(
        connectionId,
        pipes.updateCdcScaling,
        { params: { serviceId }, body: cdcScalingInput.parse(values) },
        { base: size, titles: cdcScalingTitles, record: 'The shared size of database pipes' },
      ),
  }
}

/** The pipes by how they are sized: alone, or together with the others of their service. */
export function sizedPipes(all: readonly PipeRow[]): { alone: PipeRow[]; shared: [PipeRow, ...PipeRow[]][] } {
  const services = new Map<string, [PipeRow, ...PipeRow[]]>()
  for (const pipe of all.filter(isDatabasePipe)) {
    const known = services.get(pipe.serviceId)
    if (known) known.push(pipe)
    else services.set(pipe.serviceId, [pipe])
  }
  return { alone: all.filter((pipe) => !isDatabasePipe(pipe)), shared: [...services.values()] }
}

function nextOf(
  advice: Advice<PipeSize>,
  now: PipeSize,
  parameters: readonly ScalingParameter[],
  rate: number,
  measured: Measured | null,
): NextSize | null {
  if (!('size' in advice)) return null
  const { kind, size, expected, isEnough } = advice
  const { replicas, replicaCpuMillicores, replicaMemoryGb } = size
  const before = { ...now }
  const values = Object.fromEntries(
    Object.entries({ replicas, replicaCpuMillicores, replicaMemoryGb }).filter(
      ([field, value]) =>
        parameters.some((parameter) => parameter.field === field) && before[field as keyof PipeSize] !== value, // a field of it
    ),
  )
  const difference = pipeTotals(size, rate).usdPerMonth - pipeTotals(now, rate).usdPerMonth
  return {
    kind,
    text: parameters.some(({ field }) => field === 'replicas') ? formatScaling(null, { ...size }) : sharedText(size),
    values,
    changes: draftChanges(parameters, values, before),
    expected,
    isEnough,
    difference: { least: difference, most: difference },
    lag: measured && lagText(measured, now, size),
  }
}

const limitsOf = (now: PipeSize | null): SizingRow['limits'] => ({
  cpu: now && now.replicaCpuMillicores,
  memory: now && now.replicaMemoryGb * 2 ** 30,
})

const sharedText = ({ replicaCpuMillicores, replicaMemoryGb }: Omit<PipeSize, 'replicas'>): string =>
  `${replicaCpuMillicores / 1000} vCPU, ${replicaMemoryGb} GiB`

const isSameSize = (a: PipeSize, b: PipeSize): boolean =>
  a.replicas === b.replicas &&
  a.replicaCpuMillicores === b.replicaCpuMillicores &&
  a.replicaMemoryGb === b.replicaMemoryGb
